/** What was found for the word at the caret; `isOld` while it still answers an earlier word. */
export type Found<T> = { found: readonly T[]; isOld: boolean; note?: string }

/** Symbols and users, each with how many ratings it has, in the reader's marks: `4,118 ratings`. */
export type Lookups = {
  symbols: Found<{ symbol: string; detail: string }>
  users: Found<{ user: number; detail: string }>
}

export const NOTHING_FOUND: Found<never> = { found: [], isOld: false }
