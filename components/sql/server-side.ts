import { askInBrowser } from '#lib/client/fetch-api.ts'
import { toAsked } from '#lib/client/query-options.ts'
import { DATABASE_PATH } from '#lib/contract/database/path.ts'
import { databaseQuestions } from '#lib/contract/operations/database.ts'
import type { DatabaseFacts } from './loader.ts'

export async function loadFacts(signal: AbortSignal): Promise<DatabaseFacts> {
  const { data, meta } = await askInBrowser(toAsked(databaseQuestions.database), { signal })
  const { bytes, etag } = data
  return { url: DATABASE_PATH, etag, bytes, generation: meta.generation, asOf: meta.as_of }
}

// Built as files: a bundled worker would not have the policy of `next.config.mjs`.
const WORKER = new URL('@duckdb/duckdb-wasm/dist/duckdb-browser-eh.worker.js', import.meta.url)
const MODULE = new URL('@duckdb/duckdb-wasm/dist/duckdb-eh.wasm', import.meta.url)

export const engineUrls = () => ({
  worker: WORKER.href,
  module: MODULE.href,
})
