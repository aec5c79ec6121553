import { EXPORT_COLUMNS, type ExportColumn } from '#lib/contract/export-choice.ts'

/** What a column of the table shows besides the field that it is named by. */
const WITH: Partial<Record<ExportColumn, ExportColumn>> = {
  rating: 'rating_label',
  action: 'action_label',
  created_at: 'created_at_date',
  expired_at: 'expired_at_date',
}

/** The fields behind the columns that are shown, in their order: codes with their labels, instants with their texts. */
export const toShownFields = (shown: readonly string[]): ExportColumn[] => [
  ...new Set(
    shown
      .flatMap((id) => EXPORT_COLUMNS.find((name) => name === id) ?? [])
      .flatMap((name) => [name, ...(WITH[name] ? [WITH[name]] : [])]),
  ),
]
