import { constants, copyFile, writeFile } from 'node:fs/promises'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import { CSV_TABLE } from './csv-import.ts'
import type { Database } from './database.ts'
import { loadPage, type Posts, writePostsDump } from './posts.ts'

export const LOOKUPS_HEADER = 'id,symbol,source,room_id,created_at,created_at_date\n'

const QUERY = `SELECT position, ${RATING_FIELDS.join(', ')} FROM ${CSV_TABLE}`

/** Serves imported ratings as they came. `lookupsPath` is the folder's own copy of the look-ups, or null. */
export async function openCsvPosts(database: Database, lookupsPath: string | null): Promise<Posts> {
  const [stored] = await database.rows(`SELECT count(*) FROM ${CSV_TABLE}`)
  const count = Number(stored?.[0])
  return {
    page: (number) => loadPage(database, QUERY, { number, count }),
    catchUp: async () => {},
    async writeDump(kind, at, path) {
      if (kind === 'posts') return await writePostsDump(database, QUERY, { at, path })
      if (lookupsPath === null) return await writeFile(path, LOOKUPS_HEADER)
      return await copyFile(lookupsPath, path, constants.COPYFILE_FICLONE)
    },
    close: () => database.close(),
  }
}
