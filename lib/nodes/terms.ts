import { LEASE_SECONDS, type Lease } from '#lib/store/lease.ts'

/** The terms of one node: when it leads, and that it stops in time. */
export type Terms = {
  /** The lease that this node holds, by a clock of its own that never jumps; null where it does not lead. */
  lease(): Lease | null
  /** Looks at once instead of at the next turn. */
  look(): void
  /** Ends the term and gives the lease back; nothing where this node does not lead. It may lead again. */
  giveUp(): Promise<void>
  /** Ends the term, gives the lease back, and looks no more. */
  stop(): Promise<void>
}

export type TermsDeps = {
  take: () => Promise<Lease | null>
  renew: (lease: Lease) => Promise<boolean>
  release: (lease: Lease) => Promise<void>
  /** Whether this node has all that the others have, so that it may lead. */
  mayLead: () => boolean
  /** Begins to sync. Where it throws, the term ends. */
  onBegin: (lease: Lease) => Promise<void>
  /** Ends the sync; resolves when nothing of it goes on. */
  onEnd: (why: 'stopped' | 'lost') => Promise<void>
  /** Milliseconds by a clock that never jumps. */
  nowMs: () => number
  every: (seconds: number, run: () => void) => () => void
}

const LOOK_SECONDS = 1
const RENEW_MS = (LEASE_SECONDS / 3) * 1000
/** So long before the database lets another take the lease, this node has stopped by itself. */
const MARGIN_MS = 2000

/**
 * Takes the lease whenever it may be had, renews it, and ends the term when it was lost, could not be renewed in time, or
 * ran out while this process slept: counted from before each renewal was sent, so never later than the database does.
 */
export function createTerms(deps: TermsDeps): Terms {
  const { nowMs } = deps
  let term: Term | null = null
  let isBusy = false
  let isStopped = false

  const isOver = ({ heldFromMs }: Term) => nowMs() - heldFromMs >= LEASE_SECONDS * 1000 - MARGIN_MS
  const end = async (ending: Term, why: 'stopped' | 'lost') => {
    if (term !== ending) return
    term = null
    await ending.begun
    await deps.onEnd(why)
  }
  const take = async () => {
    const heldFromMs = nowMs()
    const lease = await deps.take()
    if (!lease) return
    if (isStopped) return await deps.release(lease)
    const begun: Term = { lease, heldFromMs, triedAtMs: heldFromMs, begun: Promise.resolve() }
    term = begun
    begun.begun = deps.onBegin(lease).catch(async () => {
      if (term === begun) term = null
      await deps.onEnd('lost')
      await deps.release(lease).catch(() => undefined)
    })
  }
  const renew = async (current: Term) => {
    const sentAtMs = nowMs()
    current.triedAtMs = sentAtMs
    const isRenewed = await deps.renew(current.lease)
    if (isRenewed) current.heldFromMs = sentAtMs
    else await end(current, 'lost')
  }
  const inTurn = (work: Promise<void>) => {
    isBusy = true
    // What cannot be reached is tried again at the next look; the term ends by the clock.
    void work
      .catch(() => undefined)
      .finally(() => {
        isBusy = false
      })
  }
  const leave = async (why: 'stopped' | 'lost') => {
    const last = term
    if (!last) return
    await end(last, why)
    await deps.release(last.lease).catch(() => undefined)
  }
  const look = () => {
    if (isStopped) return
    // A renewal that hangs must not keep the clock from being looked at.
    if (term && isOver(term)) void end(term, 'lost').catch(() => undefined)
    if (isBusy) return
    if (!term && deps.mayLead()) inTurn(take())
    else if (term && nowMs() - term.triedAtMs >= RENEW_MS) inTurn(renew(term))
  }
  const callOff = deps.every(LOOK_SECONDS, look)
  return {
    lease: () => (term && !isOver(term) ? term.lease : null),
    look,
    giveUp: async () => await leave('lost'),
    async stop() {
      isStopped = true
      callOff()
      await leave('stopped')
    },
  }
}

type Term = { lease: Lease; heldFromMs: number; triedAtMs: number; begun: Promise<void> }
