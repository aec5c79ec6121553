import type { ExportFormat } from './export-formats.ts'
import type { ListPath } from './lists/lists.ts'
import { toQueryText } from './query-schema.ts'

/** CSV only: a byte order mark, and text that is no formula. */
export const FOR_EXCEL = 'excel'

export function withoutPage(query: URLSearchParams): URLSearchParams {
  const params = new URLSearchParams(query)
  for (const name of ['page', 'per_page']) params.delete(name)
  return params
}

/** With the usual settings. Alone, so that a page with a list loads no choice of exports. */
export function toPlainPath(
  subject: ListPath,
  query: URLSearchParams,
  format: ExportFormat = 'csv',
): string {
  const params = withoutPage(query)
  if (format === 'csv') params.set(FOR_EXCEL, '1')
  return `/api/${subject}.${format}${toQueryText(params)}`
}
