import type { Dump } from '#lib/contract/answers/status.ts'

/** Where a dump is served. */
export const dumpPath = (kind: Dump['kind']): string => `/api/v1/${kind}/dumps`

/** What a dump holds, in a sentence. */
export const DUMP_CONTENTS: Record<Dump['kind'], string> = {
  posts: 'Every rating ever posted, one row each.',
  lookups: 'Every ticker that somebody looked up in a trading room.',
}

/** The name of a file whose edition is not known yet. */
export const dumpFileName = (dump: Dump): string => dump.file_name ?? `${dump.kind}.csv`

/** The same file from elsewhere: a line of shell, Python, or DuckDB. */
export function dumpCommands(dump: Dump, origin: string) {
  const address = `${origin}${dumpPath(dump.kind)}`
  // A name of our own: curl refuses to resume (-C) into a name that the server gives (-J).
  return [
    { name: 'curl', text: `curl -fC - -o ${dumpFileName(dump)} ${address}` },
    {
      name: 'pandas',
      text: `pandas.read_csv("${address}"${dump.kind === 'posts' ? ', dtype={"prediction": str}' : ''})`,
    },
    { name: 'DuckDB', text: `FROM read_csv('${address}')` },
  ]
}
