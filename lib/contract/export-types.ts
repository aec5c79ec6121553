import type { ExportColumn, ExportSubject } from './export-choice.ts'
import { type FieldType, selectColumns, toDateName } from './lists/define-list.ts'
import { LISTS } from './lists/lists.ts'

export type Kind = 'whole' | 'instant' | 'day' | 'decimal' | 'text' | 'number'
export type TypedColumn = { name: string; kind: Kind }

const RATING_KINDS: Readonly<Record<ExportColumn, Kind>> = {
  id: 'whole',
  user_id: 'whole',
  symbol: 'text',
  rating: 'whole',
  rating_label: 'text',
  action: 'whole',
  action_label: 'text',
  prediction: 'decimal',
  tally_agree: 'whole',
  tally_disagree: 'whole',
  tally_comment: 'whole',
  created_at: 'instant',
  created_at_date: 'text',
  expired_at: 'instant',
  expired_at_date: 'text',
  previous_rating: 'whole',
  previous_prediction: 'decimal',
  state: 'text',
  vanished_at: 'instant',
  ended: 'text',
  extra: 'text',
}

const toKind = (type: FieldType): Kind => {
  if (type === 'count') return 'whole'
  if (type === 'figure') return 'decimal'
  if (type === 'drawing') return 'text'
  if (typeof type === 'string') return type
  return type.every((value) => typeof value === 'number') ? 'number' : 'text'
}

const KINDS: ReadonlyMap<ExportSubject, Readonly<Record<string, Kind>>> = new Map<
  ExportSubject,
  Readonly<Record<string, Kind>>
>([
  ['ratings', RATING_KINDS],
  ...LISTS.map((list) => {
    const kinds = selectColumns(list, 'export').flatMap(([name, { type, dated }]) => [
      [name, toKind(type)],
      ...(dated ? [[toDateName(name), 'text']] : []),
    ])
    return [list.path, Object.fromEntries(kinds)] as const
  }),
])

/** The columns of an export, in order. `names`: the chosen ones; empty means all. */
export function typedColumns(
  subject: ExportSubject,
  names: readonly string[] = [],
): readonly TypedColumn[] {
  const kinds = KINDS.get(subject) ?? {}
  const chosen = names.length > 0 ? names : Object.keys(kinds)
  return chosen.flatMap((name) => (kinds[name] ? [{ name, kind: kinds[name] }] : []))
}
