import 'server-only'
import { join } from 'node:path'
import { setTimeout as sleepMs } from 'node:timers/promises'
import { type Access, openAccess } from '#lib/access/access.ts'
import { every } from './create-runtime.ts'
import { closeFolder, DATA_FILES } from './data-folder.ts'
import type { Env } from './env.ts'
import { keepOpening, type Opening } from './keep-opening.ts'
import { toLogFields } from './log.ts'
import { once, selectOnce } from './once.ts'
import { processLog } from './runtime.ts'

const RETRY_MS = 10_000
const REFRESH_SECONDS = 1

/** Opens what the process knows of who may come in, apart from the archive: nobody is let in without it. */
export const beginAccess = (env: Env): Opening<Access> =>
  once('access', () =>
    keepOpening(() => openNow(env), {
      rest: () => sleepMs(RETRY_MS, undefined, { ref: false }),
      onProblem: (error) =>
        processLog().error('who may come in cannot be looked up', toLogFields(error)),
    }),
  )

/** It where it is open now; null where it is not. */
export const selectAccess = (): Access | null =>
  selectOnce<Opening<Access>>('access')?.opened() ?? null

async function openNow({ dataDir, access: settings }: Env): Promise<Access> {
  const dir = join(dataDir, DATA_FILES.access)
  const { mode, idle, absolute, operators, operatorGroups } = settings
  const onProblem = (error: unknown) =>
    processLog().error('the audit log cannot be written', toLogFields(error))
  const access = await openAccess({
    mode,
    dir,
    now: () => Date.now() / 1000,
    sleep: sleepMs,
    limits: { idle, absolute },
    isOperator: (name, groups) =>
      operators.includes(name) || groups.some((group) => operatorGroups.includes(group)),
    onProblem,
  })
  closeFolder(dir)
  if (mode === 'password' && (await access.accounts.list()).length === 0) {
    processLog().warn('nobody can sign in yet: npm run access -- add NAME --role operator', {})
  }
  every(REFRESH_SECONDS, createRefresh(access))
  return access
}

/** Looks anew, one look at a time; what keeps it from that is told once, until it worked again. */
function createRefresh(access: Pick<Access, 'refresh'>): () => void {
  let isLooking = false
  let isTold = false
  const look = async () => {
    try {
      await access.refresh()
      isTold = false
    } catch (error) {
      if (!isTold) {
        processLog().error('who may come in cannot be looked up anew', toLogFields(error))
      }
      isTold = true
    } finally {
      isLooking = false
    }
  }
  return () => {
    if (isLooking) return
    isLooking = true
    void look()
  }
}
