import type { Progress } from '#lib/contract/answers/status.ts'

type Step = Progress['step']
export type Stage = { name: string; steps: readonly Step[] }

/** What happens before the first ratings are seen: from a dump, and from pages where there is none. */
const BY_DUMP: readonly Stage[] = [
  { name: 'Fetch the dump', steps: ['fetching', 'verifying'] },
  { name: 'Import its rows', steps: ['comparing', 'importing'] },
  { name: 'Work out changes', steps: ['deriving'] },
]
const BY_PAGES: readonly Stage[] = [
  { name: 'Look at the service', steps: ['discovering'] },
  { name: 'Read its pages', steps: ['reading'] },
  { name: 'Work out changes', steps: ['deriving'] },
]

const at = (stages: readonly Stage[], step: Step) =>
  stages.findIndex(({ steps }) => steps.includes(step))

/** The stages that a step belongs to, and which of them it is. What pages have not shown yet is taken to come by a dump. */
export function selectStages(step: Step): { stages: readonly Stage[]; current: number } {
  const stages = at(BY_DUMP, step) >= 0 ? BY_DUMP : BY_PAGES
  return { stages, current: at(stages, step) }
}
