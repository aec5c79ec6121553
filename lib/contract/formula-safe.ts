import type { ExportColumn } from './export-choice.ts'

/** Texts that a service may fill with anything. All the rest are numbers, which no form ever changes. */
export const FREE_TEXTS: ReadonlySet<string> = new Set<ExportColumn>([
  'symbol',
  'rating_label',
  'action_label',
  'created_at_date',
  'expired_at_date',
  'extra',
])

/**
 * Where a spreadsheet may take what follows for a formula: where the text begins, and where a cell would begin for
 * one that separates cells by semicolons or tabs. The database reads the same pattern.
 */
export const FORMULA = '(^|[;\\t\\r\\n]+)([=+\\-@\\uff0b\\uff0d\\uff1d\\uff20])'

const EVERY_FORMULA = new RegExp(FORMULA, 'g')

/** A text that a spreadsheet takes for a text. For texts alone: a number keeps its sign. */
export const toFormulaSafe = (text: string): string => text.replace(EVERY_FORMULA, "$1'$2")
