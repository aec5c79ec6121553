import { toVisibleText } from '#lib/contract/visible-text.ts'

/**
 * Text from outside within a sentence of ours: what is invisible is written out, and what is written from right to left
 * turns nothing around it. Where it stands alone in a cell or in a link, `toVisibleText` is enough.
 */
export const OutsideText = ({ children }: { children: string }) => (
  <bdi>{toVisibleText(children)}</bdi>
)
