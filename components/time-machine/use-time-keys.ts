'use client'

import { useEffect, useEffectEvent, useRef } from 'react'
import { areSingleKeysOn } from '#components/palette/single-keys.ts'
import { nowSeconds } from './now-seconds.ts'
import { playing } from './playing.ts'
import { toStepOfKey } from './time-keys.ts'
import { travelBy } from './travel.ts'
import { useServerNow } from './use-rewound.ts'

/** Browsers let a page write its address some ten times a second; a key that is held down comes oftener. */
const LEAST_MS = 120

/** `[` and `]` step a day, `{` and `}` a week, while the page is rewound and no field or dialog has the keys. */
export function useTimeKeys(isRewindable: boolean): void {
  const now = useServerNow()
  const steppedMs = useRef(0)
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const days = toStepOfKey(event)
    if (days === null || !isRewindable || !areSingleKeysOn()) return
    if (document.querySelector('dialog[open]')) return
    event.preventDefault()
    if (event.repeat && event.timeStamp - steppedMs.current < LEAST_MS) return
    steppedMs.current = event.timeStamp
    playing.stop()
    travelBy(days, now ?? nowSeconds())
  })
  useEffect(() => {
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}
