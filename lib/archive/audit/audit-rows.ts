import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import { type ListRows, loadFields, toStoredType } from '#lib/archive/lists/select-list.ts'
import { auditList } from '#lib/contract/lists/audit.ts'
import type { ListQuery } from '#lib/contract/lists/define-list.ts'

const COLUMNS = sql.join(
  Object.entries(auditList.fields).map(
    ([name, field]) => sql`${sql.ref(name)}: ${sql.lit(toStoredType(field))}`,
  ),
)

export function auditRows(
  file: string,
  query: ListQuery<typeof auditList>,
): ListRows<typeof auditList> | null {
  const files = [`${file}.1`, file].filter((path) => existsSync(path))
  if (files.length === 0) return null
  return {
    list: auditList,
    query,
    source: {
      from: sql`read_json([${sql.join(files.map((path) => sql.lit(path)))}],
        format = 'newline_delimited', ignore_errors = true, columns = {${COLUMNS}})`,
      fields: {},
      where: [sql`"at" is not null`],
      ties: () => [sql`"at" desc`, sql`what`, sql`who`, sql`"from"`],
    },
    load: loadFields(auditList),
  }
}
