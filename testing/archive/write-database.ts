import { watch } from 'node:fs'
import { createDatabaseFiles } from '#lib/archive/database/database-files.ts'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import { importRows, makeRating, START } from './arbitrary.ts'

/** Says `writing` as soon as the database file exists, and is then killed. */
const [path = ''] = process.argv.slice(2)
const archive = await openArchive({ path, now: () => START })
await importRows(
  archive,
  Array.from({ length: 50_000 }, (_, id) => makeRating({ id: id + 1, user_id: id % 997 })),
)
const { reader } = archive
const newPath = async () => {
  const next = await reader.exportFolder.newPath()
  watch(`${path}.exports`, () => process.stdout.write('writing\n'))
  return next
}
const files = createDatabaseFiles({
  reader: { ...reader, exportFolder: { ...reader.exportFolder, newPath } },
  names: { version: () => 1, of: () => null },
  now: () => START,
})
await files.ensure({ tables: 'all' })
setInterval(() => {}, 1000)
