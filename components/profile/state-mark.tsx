/** Whether a rating counts now. Null is one that lies in the future. */
export function StateMark({ state }: { state: 'active' | 'expired' | null }) {
  if (state === 'active') return <span>active</span>
  return <span className="text-ink-3">{state ?? 'not yet'}</span>
}
