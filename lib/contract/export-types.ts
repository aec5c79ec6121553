import type { ExportColumn, ExportSubject } from './export-choice.ts'
import type { SYMBOL_COLUMNS, USER_COLUMNS } from './league-columns.ts'
import type { FieldType } from './lists/define-list.ts'
import { LISTS } from './lists/lists.ts'

export type Kind = Extract<FieldType, string> | 'number'
export type TypedColumn = { name: string; kind: Kind }

type KindsOf<C extends string> = Readonly<Record<C, Kind>>

const RATING_KINDS: KindsOf<ExportColumn> = {
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

const SYMBOL_KINDS: KindsOf<(typeof SYMBOL_COLUMNS)[number]> = {
  symbol: 'text',
  ratings: 'whole',
  active: 'whole',
  consensus: 'decimal',
  consensus_low: 'decimal',
  consensus_high: 'decimal',
  change_30d: 'decimal',
  change_shrunk: 'decimal',
  avg_prediction: 'decimal',
  prediction_shrunk: 'decimal',
  dispersion: 'decimal',
  first_created_at: 'instant',
  first_created_at_date: 'text',
  last_created_at: 'instant',
  last_created_at_date: 'text',
}

const USER_KINDS: KindsOf<(typeof USER_COLUMNS)[number]> = {
  user_id: 'whole',
  ratings: 'whole',
  active: 'whole',
  symbols: 'whole',
  recent: 'whole',
  agree: 'whole',
  disagree: 'whole',
  agreement_low: 'decimal',
  bias: 'decimal',
  bias_n: 'whole',
  last_created_at: 'instant',
  last_created_at_date: 'text',
  clusters: 'whole',
  hit_rate: 'decimal',
  hit_low: 'decimal',
  hit_high: 'decimal',
  rank: 'whole',
  excess: 'decimal',
  excess_low: 'decimal',
  excess_high: 'decimal',
}

const toKind = (type: FieldType): Kind => {
  if (typeof type === 'string') return type
  return type.every((value) => typeof value === 'number') ? 'number' : 'text'
}

const KINDS: ReadonlyMap<ExportSubject, Readonly<Record<string, Kind>>> = new Map<
  ExportSubject,
  Readonly<Record<string, Kind>>
>([
  ['ratings', RATING_KINDS],
  ['symbols', SYMBOL_KINDS],
  ['users', USER_KINDS],
  ...LISTS.map(({ path, fields }) => {
    const kinds = Object.entries(fields).map(([name, { type }]) => [name, toKind(type)])
    return [path, Object.fromEntries(kinds)] as const
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
