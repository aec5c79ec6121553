'use client'

import { type ComponentType, type MouseEvent, useRef, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { DotsIcon } from '#components/ui/icons.tsx'
import { usePressToggle } from '#components/ui/overlays.tsx'
import { useSearchAction } from '#components/ui/search-actions.ts'
import type { SaveChartPanelProps, SaveChartProps } from './chart-facts.ts'

/**
 * Saves elements with `data-pane` in the enclosing `<figure>`, without those with `data-unsaved`.
 */
export function SaveChart(props: SaveChartProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [Panel, setPanel] = useState<ComponentType<SaveChartPanelProps> | null>(null)
  const [isMissing, setMissing] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const press = usePressToggle(isOpen, setOpen)
  const load = () => {
    if (Panel) return
    import('./save-chart-panel.tsx').then(
      (loaded) => {
        setPanel(() => loaded.SaveChartPanel)
        setMissing(false)
      },
      () => {
        setOpen(false)
        setMissing(true)
      },
    )
  }
  useSearchAction({
    name: 'Save or embed the chart',
    detail: 'in the menu ⋯ of the chart',
    run: () => {
      button.current?.focus()
      setOpen(true)
      load()
    },
  })
  const onClick = (event: MouseEvent) => {
    press.toggle(event)
    load()
  }
  return (
    <div data-unsaved>
      <Button
        ref={button}
        aria-label="More for this chart"
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        onClick={onClick}
        onPointerDown={press.onPointerDown}
        size="small"
      >
        <DotsIcon />
      </Button>
      {isMissing && (
        <p className="text-sm text-rating-text-1" role="alert">
          The menu could not be loaded. Try again.
        </p>
      )}
      {Panel && <Panel {...props} anchor={button} isOpen={isOpen} onOpen={setOpen} />}
    </div>
  )
}
