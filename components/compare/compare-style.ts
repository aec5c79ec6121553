import type { CompareMode } from './compare-sizes.ts'
import type { CompareScale } from './compared-lines.ts'

/** How a comparison is drawn; `hidden` are the keys of those switched off. */
export type CompareStyle = {
  mode: CompareMode
  scale: CompareScale
  hidden: readonly string[]
  asTable: boolean
}

/** What a comparison asks its page to change. */
export type CompareChanges = Partial<
  CompareStyle & { vs: readonly string[]; from: number | null; to: number | null }
>
