import 'server-only'
import type { LogEvent } from '#lib/contract/answers/status.ts'
import type { Env } from '#lib/server/environment/env.ts'
import { type KeyFileContents, readKeyFile } from '#lib/server/environment/key-file.ts'
import { type Log, toLogFields } from '#lib/server/environment/log.ts'
import type { EventLog, Sync } from '#lib/sync/sync.ts'
import type { KeyedUpstream } from '#lib/upstream/client.ts'

const POLL_SECONDS = 5

type KeyFilePoll = {
  key: string
  read: () => KeyFileContents
  every: (seconds: number, run: () => void) => () => void
  onKey: (key: string) => void
  /** Called once per problem. */
  onProblem: (problem: string) => void
}

/** Polls: file system events miss renames and symbolic links. */
function pollKeyFile({ read, every, onKey, onProblem, ...start }: KeyFilePoll) {
  let { key } = start
  let known: string | null = null
  return every(POLL_SECONDS, () => {
    const contents = read()
    const problem = contents.ok ? null : contents.problem
    if (problem !== null && problem !== known) onProblem(problem)
    known = problem
    if (!contents.ok || contents.key === key) return
    key = contents.key
    onKey(key)
  })
}

type KeyFileDeps = Pick<KeyFilePoll, 'every'> & {
  env: Pick<Env, 'apiKey' | 'apiKeyFile'>
  log: Log
  /** Called before the key is used, so that logs redact it. */
  hide: (secret: string) => void
  upstream: Pick<KeyedUpstream, 'changeKey'>
  sync: Pick<Sync, 'retry'>
  eventLog: EventLog
}

export function followKeyFile(deps: KeyFileDeps): () => void {
  const { env, log, hide, upstream, sync, eventLog, every } = deps
  const { apiKeyFile, apiKey } = env
  if (apiKeyFile === null || apiKey === null) return () => {}
  const tell = (level: LogEvent['level'], message: string) => {
    eventLog.append({ level, kind: 'process', message, fields: {} })
    if (level === 'info') log(message)
    else log.warn(message)
  }
  const change = async (key: string) => {
    hide(key)
    await upstream.changeKey(key)
    tell('info', 'The key was changed.')
    // The sync may be waiting an hour after a rejected key, or a day as the service asked.
    sync.retry()
  }
  return pollKeyFile({
    key: apiKey,
    read: () => readKeyFile(apiKeyFile),
    every,
    onKey: (key) =>
      void change(key).catch((error: unknown) =>
        log.error('the key could not be changed', toLogFields(error)),
      ),
    onProblem: (problem) =>
      tell('warning', `RATINGS_API_KEY_FILE ${problem}. The previous key stays in use.`),
  })
}
