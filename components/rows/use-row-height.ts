'use client'

import { type RefObject, useCallback, useState } from 'react'

const HEAD_PX = 56
const ROW_PX = { comfortable: 31, compact: 26 }

/** How high a row and the header are: letters may be larger than drawn, where the reader's browser has them so. */
export function useRowHeight(frame: RefObject<HTMLElement | null>, isCompact: boolean) {
  const drawnPx = isCompact ? ROW_PX.compact : ROW_PX.comfortable
  const [heights, setHeights] = useState({ rowPx: drawnPx, headPx: HEAD_PX })
  const measure = useCallback(() => {
    const heightOf = (selector: string) =>
      frame.current?.querySelector(selector)?.getBoundingClientRect().height
    const rowPx = heightOf('tr[data-rating]') ?? drawnPx
    const headPx = heightOf('thead') ?? HEAD_PX
    setHeights((last) =>
      last.rowPx === rowPx && last.headPx === headPx ? last : { rowPx, headPx },
    )
  }, [frame, drawnPx])
  return { ...heights, measure }
}
