'use client'

import { AsOfLink } from '#components/address/as-of.tsx'
import { toSqlHref } from '#components/address/sql-address.ts'
import { toListSql } from '#lib/contract/database/open-in-sql.ts'
import type { ExportSubject } from '#lib/contract/export-choice.ts'

type OpenInSqlProps = {
  of: ExportSubject
  query: URLSearchParams
  /** Seconds since 1970; null if unknown. */
  at: number | null
}

/** Nothing for lists that the database file lacks, and for filters too long for an address. */
export function OpenInSql({ of, query, at }: OpenInSqlProps) {
  const sql = at === null ? null : toListSql(of, query, at)
  const href = sql === null ? null : toSqlHref(sql)
  if (href === null) return null
  return (
    <p className="border-t pt-3">
      <AsOfLink className="link" href={href}>
        Open in SQL
      </AsOfLink>{' '}
      <span className="text-ink-3">queries these rows in this browser.</span>
    </p>
  )
}
