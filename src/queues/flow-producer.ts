/** Adds flows, all jobs of a flow or none. */
import { FlowProducer, type QueueOptions } from 'bullmq';

/** BullMQ ignores errors of single jobs of a flow, such as the refusal of a full Redis: rows would run without jobs. */
class StrictFlowProducer extends FlowProducer {
  constructor(options: QueueOptions) {
    super(options);
    const { backend } = this;
    const addFlow = backend.addFlow.bind(backend);
    backend.addFlow = async (entries) => {
      const results = await addFlow(entries);
      for (const [error] of results) if (error) throw error;
      return results;
    };
  }
}

export function openFlowProducer(options: QueueOptions): FlowProducer {
  const producer = new StrictFlowProducer(options);
  // The owner of the connection reports its errors.
  producer.on('error', () => undefined);
  return producer;
}
