import { toVisibleText } from '#lib/contract/visible-text.ts'

/** Escapes invisible characters and isolates right-to-left text. */
export const OutsideText = ({ children }: { children: string }) => (
  <bdi>{toVisibleText(children)}</bdi>
)
