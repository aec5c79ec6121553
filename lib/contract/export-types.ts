import type { ExportSubject } from './export-choice.ts'
import { type FieldType, selectColumns, toDateName } from './lists/define-list.ts'
import { LISTS } from './lists/lists.ts'

export type Kind = 'whole' | 'instant' | 'day' | 'decimal' | 'text' | 'number'
export type TypedColumn = { name: string; kind: Kind }

const toKind = (type: FieldType): Kind => {
  if (type === 'count') return 'whole'
  if (type === 'figure') return 'decimal'
  if (type === 'drawing') return 'text'
  if (typeof type === 'string') return type
  return type.every((value) => typeof value === 'number') ? 'number' : 'text'
}

const KINDS: ReadonlyMap<ExportSubject, Readonly<Record<string, Kind>>> = new Map(
  LISTS.map((list) => {
    const kinds = selectColumns(list, 'export').flatMap(([name, { type, dated }]) => [
      [name, toKind(type)],
      ...(dated ? [[toDateName(name), 'text']] : []),
    ])
    return [list.path, Object.fromEntries(kinds)] as const
  }),
)

/** The columns of an export, in order. `names`: the chosen ones; empty means all. */
export function typedColumns(
  subject: ExportSubject,
  names: readonly string[] = [],
): readonly TypedColumn[] {
  const kinds = KINDS.get(subject) ?? {}
  const chosen = names.length > 0 ? names : Object.keys(kinds)
  return chosen.flatMap((name) => (kinds[name] ? [{ name, kind: kinds[name] }] : []))
}
