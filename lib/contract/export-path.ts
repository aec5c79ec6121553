import type { ExportFormat } from './export-formats.ts'
import type { ListPath } from './lists/lists.ts'
import { toQueryText } from './ratings-query.ts'

export function withoutPage(query: URLSearchParams): URLSearchParams {
  const params = new URLSearchParams(query)
  for (const name of ['page', 'per_page']) params.delete(name)
  return params
}

/** With the usual settings. Alone, so that a page with a list loads no choice of exports. */
export const toPlainPath = (
  subject: ListPath,
  query: URLSearchParams,
  format: ExportFormat = 'csv',
): string => `/api/${subject}.${format}${toQueryText(withoutPage(query))}`
