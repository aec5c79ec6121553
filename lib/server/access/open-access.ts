import 'server-only'
import { join } from 'node:path'
import { setTimeout as sleepMs } from 'node:timers/promises'
import { type Access, openAccess } from '#lib/access/access.ts'
import { keepOpening, type Opening } from '#lib/async/keep-opening.ts'
import { every } from '#lib/async/poller.ts'
import { closeFolder, DATA_FILES } from '../environment/data-folder.ts'
import type { Env } from '../environment/env.ts'
import { toLogFields } from '../environment/log.ts'
import { selectSingleton, singleton } from '../environment/singleton.ts'
import { processLog } from '../runtime/runtime.ts'
import type { SharedAccess } from './shared-access.ts'

const RETRY_MS = 10_000
const SHARED_RETRY_MS = 2000
const REFRESH_SECONDS = 1

export const beginAccess = (env: Env): Opening<Access> =>
  singleton('access', () =>
    keepOpening(() => openNow(env), {
      rest: () => sleepMs(env.database ? SHARED_RETRY_MS : RETRY_MS, undefined, { ref: false }),
      onProblem: (error) => processLog().error('accounts cannot be read', toLogFields(error)),
    }),
  )

export const selectAccess = (): Access | null =>
  selectSingleton<Opening<Access>>('access')?.opened() ?? null

/** Why `selectAccess` returns null. */
export const selectAccessProblem = (): unknown =>
  selectSingleton<Opening<Access>>('access')?.problem() ?? null

/** Lazy: single nodes never load the database code. */
async function openShared({ database, nodeName }: Env): Promise<SharedAccess | null> {
  if (!database) return null
  const { openSharedAccess } = await import('./shared-access.ts')
  return await openSharedAccess(database, `bellwether ${nodeName} access`)
}

async function openNow(env: Env): Promise<Access> {
  const shared = await openShared(env)
  try {
    return await openOver(env, shared)
  } catch (error) {
    await shared?.close()
    throw error
  }
}

async function openOver({ dataDir, access: settings }: Env, shared: SharedAccess | null) {
  const dir = join(dataDir, DATA_FILES.access)
  const { mode, idle, absolute, operators, operatorGroups } = settings
  const onProblem = (error: unknown) =>
    processLog().error('the audit log cannot be written', toLogFields(error))
  const opened = await openAccess({
    mode,
    dir,
    now: () => Date.now() / 1000,
    sleep: sleepMs,
    limits: { idle, absolute },
    isOperator: (name, groups) =>
      operators.includes(name) || groups.some((group) => operatorGroups.includes(group)),
    onProblem,
    ...(shared && { records: shared.records }),
  })
  closeFolder(dir)
  if (mode === 'password' && (await opened.accounts.list()).length === 0) {
    processLog().warn('no account exists yet: npm run access -- add NAME --role operator', {})
  }
  const access = shared ? withOthers(opened, shared) : opened
  const callOff = every(REFRESH_SECONDS, createRefresh(access))
  return {
    ...access,
    async close() {
      callOff()
      await access.close()
    },
  }
}

const withOthers = (access: Access, shared: SharedAccess): Access => ({
  ...access,
  async refresh() {
    await shared.refresh()
    await access.refresh()
  },
  async close() {
    await access.close()
    await shared.close()
  },
})

/** Refreshes never overlap. */
function createRefresh(access: Pick<Access, 'refresh'>): () => void {
  let isLooking = false
  let isTold = false
  const look = async () => {
    try {
      await access.refresh()
      isTold = false
    } catch (error) {
      if (!isTold) {
        processLog().error('accounts cannot be reread', toLogFields(error))
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
