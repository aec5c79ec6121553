'use client'

import { useRef } from 'react'
import { Button } from '#components/ui/button.tsx'
import { DotsIcon } from '#components/ui/icons.tsx'
import { Popover } from '#components/ui/popover.tsx'
import type { SaveChartProps } from './chart-facts.ts'
import { SaveChartPanel } from './save-chart-panel.tsx'

/**
 * Saves elements with `data-pane` in the enclosing `<figure>`, without those with `data-unsaved`.
 */
export function SaveChart(props: SaveChartProps) {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <div data-unsaved>
      <Popover
        label="Save chart"
        className="flex w-92 flex-col gap-3 p-4 text-base"
        trigger={
          <Button ref={button} data-opens="chart" aria-label="More for this chart" size="small">
            <DotsIcon />
          </Button>
        }
      >
        <SaveChartPanel {...props} toFigure={() => button.current?.closest('figure') ?? null} />
      </Popover>
    </div>
  )
}
