/** A person looks at ready rows, and approves what was shown at a later moment. Others reject or edit rows meanwhile; uploads end late. */
import * as approvals from './approvals.ts';
import { rowOf } from './ledger.ts';
import { indexes, lua, type Rules } from './rule.ts';

export const approvalEvents: Rules = {
  show: {
    options: ({ world, has }) =>
      has('approvals') && !world.shown
        ? indexes(
            world.rows,
            (row) => row.state === 'y' || (has('cancelled rows') && approvals.isEditable(row)),
          )
        : [],
    apply: ({ world }, row) => {
      const { revision, content } = rowOf(world, row);
      world.shown = { row, revision, content, isOutdated: false, isWithdrawn: false };
    },
    says: (row) => `a person is shown the post of row ${row + 1}`,
  },
  approve: {
    source: lua(
      'approvals/approve-rows',
      "redis.call('ZADD', campaign .. ':ready', ARGV[at + 3] == '0' and now or ARGV[at + 3], row)",
    ),
    options: ({ world }) => (world.shown ? [[0]] : []),
    apply: ({ world, on }) => {
      const { shown } = world;
      world.shown = undefined;
      if (shown) approvals.approve(world, shown, on);
    },
    says: () => 'the person approves what was shown',
  },
  /** The person goes away, or looks again. */
  leave: {
    options: ({ world }) => (world.shown ? [[0]] : []),
    apply: ({ world }) => {
      world.shown = undefined;
    },
    says: () => 'the person approves nothing',
  },
  reject: {
    source: lua(
      'approvals/reject-rows',
      "end_with(campaign, row, 'y', 'f', revision, now, failure, 'rejected')",
    ),
    options: ({ world, has }) =>
      has('approvals') && !world.cancelled ? indexes(world.rows, ({ state }) => state === 'y') : [],
    apply: ({ world }, row) => approvals.reject(world, row),
    says: (row) => `somebody rejects row ${row + 1}`,
  },
  takeBack: {
    source: lua(
      'approvals/withdraw-rows',
      "redis.call('ZADD', campaign .. ':unapproved', tonumber(ARGV[at + 2]) or now, row)",
    ),
    options: ({ world, has }) =>
      has('approvals') && !world.cancelled
        ? indexes(world.rows, ({ state, said }) => 'ry'.includes(state) && said >= 0)
        : [],
    apply: ({ world, on }, row) => approvals.takeBack(world, row, on),
    says: (row) => `a person withdraws the approval of row ${row + 1}`,
  },
  edit: {
    source: lua('imports/edit-row', 'admit_again(campaign, row, state, revision, now)'),
    options: ({ world, has }) =>
      has('approvals') && !world.cancelled ? indexes(world.rows, approvals.isEditable) : [],
    apply: ({ world }, row) => approvals.edit(world, row),
    says: (row) => `somebody edits row ${row + 1}`,
  },
  editShown: {
    source: lua('imports/edit-row', 'if not may_change(state) or revision ~= seen or review_failed('),
    options: ({ world, has }) => (has('cancelled rows') && world.shown ? [[0]] : []),
    apply: ({ world }) => {
      const { shown } = world;
      world.shown = undefined;
      if (shown) approvals.editShown(world, shown);
    },
    says: () => 'the person edits what was shown',
  },
  withdraw: {
    source: lua('rows/cancel-row', "if (state ~= 'w' and state ~= 'y') or revision ~= tonumber(ARGV[3])"),
    options: ({ world, has }) =>
      has('cancelled rows')
        ? indexes(world.rows, ({ state, entry }) => 'wy'.includes(state) && entry === undefined)
        : [],
    apply: ({ world, on }, row) => approvals.withdraw(world, row, on),
    says: (row) => `a person cancels row ${row + 1}`,
  },
  uploadLate: {
    source: lua('transitions/finish-step', "not (verdict == 'ok' and state ~= 'c' and current == revision)"),
    options: ({ world, has }) =>
      has('approvals') ? indexes(world.rows, ({ state }) => 'ryf'.includes(state)) : [],
    apply: ({ world }, row) => approvals.changeContent(world, row),
    says: (row) => `row ${row + 1} gets another file, by an upload that ends late`,
  },
};
