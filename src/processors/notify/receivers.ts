/** The receivers in the setting `notify`, whose form `config/notify.ts` checks. */
import type { NotificationEvent, ReceiverSetting } from '../../../config/notify.ts';
import type { Proxies } from '../../platform/net/proxy.ts';
import { MailReceiver } from './mail.ts';
import type { Receiver, ReceiverOptions } from './receiver.ts';
import { WebhookReceiver } from './webhook.ts';

export class Receivers implements AsyncDisposable {
  readonly all: readonly Receiver[];

  /** @param secretOf secret of the entry at an index. @throws as `secretOf` does. */
  constructor(
    settings: readonly ReceiverSetting[],
    secretOf: (index: number) => Buffer | undefined = () => undefined,
    options: ReceiverOptions & { readonly proxies?: Proxies | undefined } = {},
  ) {
    this.all = settings.map((setting, index) =>
      setting.format === 'email'
        ? new MailReceiver(setting, secretOf(index)?.toString(), options)
        : new WebhookReceiver(setting, secretOf(index), options),
    );
  }

  find(key: string): Receiver | undefined {
    return this.all.find((receiver) => receiver.key === key);
  }

  of(event: NotificationEvent): readonly string[] {
    return this.all.filter(({ events }) => events.has(event)).map(({ key }) => key);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.all.map((receiver) => receiver[Symbol.asyncDispose]()));
  }
}
