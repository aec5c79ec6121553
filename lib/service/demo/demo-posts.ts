import type { Database } from '../database.ts'
import { loadPage, type Posts, writeCsv, writePostsDump } from '../posts.ts'
import { CREATE_DEMO_TABLE, DEMO_TABLE, DEMO_TYPES, demoRatingsAt } from './demo-table.ts'
import { createHistory, type HistoryOf } from './history.ts'
import { demoLookupsBefore } from './lookups.ts'
import { createTail, type TailOptions } from './tail.ts'

/** Fills a new database with a demo community's history. */
export async function makeDemo(database: Database, history: HistoryOf): Promise<void> {
  await database.run(CREATE_DEMO_TABLE)
  await database.append(DEMO_TABLE, DEMO_TYPES, createHistory(history))
  await database.run('CHECKPOINT')
}

/** Serves a demo community from its database, and lets it grow where `tailSeconds` is above 0. */
export async function openDemo(database: Database, options: TailOptions): Promise<Posts> {
  const tail = await createTail(database, options)
  return {
    page: (number, at) => loadPage(database, demoRatingsAt(at), { number, count: tail.count() }),
    catchUp: tail.catchUp,
    async writeDump(kind, at, path) {
      if (kind === 'posts') {
        return await writePostsDump(database, demoRatingsAt(at), { at, path })
      }
      return await writeCsv(database, demoLookupsBefore(at, options.history.seed), path)
    },
    close: () => database.close(),
  }
}
