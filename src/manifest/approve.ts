/** Which posts wait for the approval of a person before they are handed to the service. */

/** `generated`: those whose media an AI makes. */
export const approveRules = ['none', 'generated', 'all'] as const;
export type ApproveRule = (typeof approveRules)[number];

/** Of a row. @param usual rule of its campaign; a row may say otherwise. */
export function needsApproval(
  { approve, generation }: { readonly approve?: ApproveRule | undefined; readonly generation?: unknown },
  usual: ApproveRule,
): boolean {
  const rule = approve ?? usual;
  return rule === 'all' || (rule === 'generated' && generation !== undefined);
}
