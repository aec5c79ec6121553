/**
 * Derived from the ratings' history, not from their action codes. `initiated`: first rating of a
 * user on the symbol. `returned`: earlier ones had ended. `upgraded`, `downgraded`, `reiterated`:
 * replaces an active lower, higher or equal rating. `lapsed`: ended. `vanished`: the service
 * stopped listing it.
 */
export const MOVES = [
  'initiated',
  'returned',
  'upgraded',
  'downgraded',
  'reiterated',
  'lapsed',
  'vanished',
] as const
export type MoveKind = (typeof MOVES)[number]

const LABELS: Readonly<Record<MoveKind, string>> = {
  initiated: 'First ratings',
  returned: 'Returned users',
  upgraded: 'Upgrades',
  downgraded: 'Downgrades',
  reiterated: 'Repeated',
  lapsed: 'Expired',
  vanished: 'No longer listed',
}

export const moveLabel = (kind: MoveKind): string => LABELS[kind]
