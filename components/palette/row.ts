import type { Edit } from '#components/filter-text/word-at.ts'

/** What choosing a row does: opens an address of ours, writes into the field, or something of the palette's own. */
export type RowAction =
  | { do: 'open'; href: string; remember?: string }
  | ({ do: 'write' } & Edit)
  | { do: 'forget' }

/**
 * One row of the palette. `kind` stands before the label in words, `detail` behind it; `isText` is a label in the
 * letters of the field, `code` a rating whose glyph stands before it. `isOld`: it answers what was typed before, and no
 * longer what is typed, so it cannot be chosen.
 */
export type Row = {
  id: string
  label: string
  action: RowAction
  kind?: string
  detail?: string
  isText?: boolean
  code?: number
  isOld?: boolean
}

/** Rows under a name. `note` says what is missing among them, `isOld` that they answer what was typed before. */
export type Section = { name: string; rows: Row[]; note?: string; isOld?: boolean }

export const hasContent = ({ rows, note }: Section): boolean =>
  rows.length > 0 || note !== undefined
