/**
 * Derived from the ratings' history, not from their action codes. `returned`: after earlier ones
 * had ended. `vanished`: no longer listed by the service.
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
