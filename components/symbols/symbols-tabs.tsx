import { PageTabs } from '#components/time/page-tabs.tsx'
import { MAP_HREF } from './map/map-view.ts'

const TABS = [
  { href: '/symbols', name: 'Table' },
  { href: MAP_HREF, name: 'Map' },
] as const

export const SymbolsTabs = ({ current }: { current: 'table' | 'map' }) => (
  <PageTabs label="Symbols" current={current === 'table' ? '/symbols' : MAP_HREF} tabs={TABS} />
)
