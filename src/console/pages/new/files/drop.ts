/** The form for the sheet and the media. It works without scripts; with `uploads.js`, files can be dropped on it. */
import { html } from 'hono/html';
import { extensions } from '../../../../manifest/cells/media-source.ts';
import type { Html } from '../../../html.ts';
import { form } from '../../../parts/form.ts';
import { icon } from '../../../parts/state.ts';
import type { PageRequest } from '../../../request.ts';

const sheetEndings = ['.xlsx', '.csv', '.tsv', '.txt', '.json', '.jsonl'];

export interface DropWords {
  /** Path of the form. */
  readonly path: string;
  /** Text below the input for the sheet. */
  readonly sheet: string;
  readonly button: string;
  readonly note: string;
}

/** @param words texts, which differ for a new draft and one that has files. */
export function dropForm(request: PageRequest, { path, sheet, button, note }: DropWords): Html {
  const endings = [...extensions.values()].flat().map((ending) => `.${ending}`);
  return html`<div id="drop" data-sheets="${sheetEndings.join()}" data-media="${endings.join()}">
    ${form(request, {
      path,
      isUpload: true,
      body: html`<div class="even two">
        <label class="drop">${icon('file')}<b>The sheet</b>
          <span>${sheet}</span>
          <input name="sheet" type="file" accept="${sheetEndings.join()}"></label>
        <label class="drop">${icon('film')}<b>The media</b>
          <span>Videos and pictures, or their whole folder. Not needed where the sheet has links or prompts.</span>
          <input name="media" type="file" multiple accept="video/*,image/*"></label>
      </div>
      <p class="after"><label>Or a whole folder, with the sheet or without <input name="folder" type="file" multiple webkitdirectory></label></p>
      <p class="actions after"><button class="primary">${button}</button> <span class="note">${note}</span></p>`,
    })}
    <div id="upload-notes" role="alert"></div>
  </div>`;
}
