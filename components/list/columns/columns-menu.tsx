'use client'

import dynamic from 'next/dynamic'
import { buttonClasses } from '#components/ui/button.tsx'
import { Popover } from '#components/ui/overlays.tsx'
import type { ColumnsPanelProps } from './columns-panel.tsx'

const Panel = dynamic(async () => (await import('./columns-panel.tsx')).ColumnsPanel, {
  ssr: false,
})

const WIDTH_PX = 264

export const ColumnsMenu = (props: ColumnsPanelProps) => (
  <Popover
    aria-label="Columns"
    widthPx={WIDTH_PX}
    className="p-2 text-ink"
    button={{ className: buttonClasses({}, 'max-sm:px-2.5'), children: 'Columns' }}
  >
    {(isOpen) => isOpen && <Panel {...props} />}
  </Popover>
)
