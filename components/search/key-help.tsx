'use client'

import { updateStored, useStored } from '#components/store/store.ts'
import { AsOfLink } from '#components/time/as-of.tsx'
import { HelpTabs } from '#components/time/page-tabs.tsx'
import { Button } from '#components/ui/button.tsx'
import { Checkbox } from '#components/ui/fields.tsx'
import { useCommandKey } from '#components/ui/keyboard-shortcuts.ts'
import { PageBody, PageHeader } from '#components/ui/page-layout.tsx'
import { Panel } from '#components/ui/panels.tsx'

export function KeyHelp({ onClose }: { onClose: () => void }) {
  return (
    <>
      <div className="flex items-center border-b py-1.5 pr-2 pl-4">
        <h2 className="text-lg">Keys</h2>
        <Button variant="quiet" size="small" className="ml-auto" onClick={onClose}>
          Close
        </Button>
      </div>
      <section
        aria-label="List of keys"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it by its focus
        tabIndex={0}
        className="min-h-0 overflow-y-auto px-4 py-3 -outline-offset-2 [scrollbar-width:thin]"
      >
        <div className="grid gap-x-8 gap-y-4 sm:block sm:columns-2">
          <KeyGroups />
        </div>
      </section>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t px-4 py-2">
        <SingleKeysSwitch />
        <AsOfLink href="/help" className="link" onClick={onClose}>
          Help
        </AsOfLink>
      </div>
    </>
  )
}

function KeyGroups() {
  return toKeyGroups(useCommandKey()).map(({ name, where, lines }) => (
    <div key={name} className="break-inside-avoid sm:mb-4">
      <h3 className="text-base">{name}</h3>
      {where && <p className="text-sm text-ink-3">{where}</p>}
      <dl className="mt-1">
        {lines.map(({ keys, does }) => (
          <div key={does} className="flex items-baseline gap-3 border-t py-1">
            <dt className="flex w-[6.75rem] shrink-0 flex-wrap gap-1">
              {keys.map((key) => (
                <kbd key={key} className="rounded-sm border border-line-2 px-1 font-sans text-xs">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd className="min-w-0 text-sm text-ink-2">{does}</dd>
          </div>
        ))}
      </dl>
    </div>
  ))
}

function SingleKeysSwitch() {
  return (
    <Checkbox
      label="Single-key shortcuts (/, ?, E, W, J, K)"
      checked={useStored(({ singleKeys }) => singleKeys)}
      onChange={({ target }) => updateStored(() => ({ singleKeys: target.checked }))}
    />
  )
}

type KeyGroup = { name: string; where?: string; lines: { keys: string[]; does: string }[] }

function toKeyGroups(command: string): KeyGroup[] {
  return [
    {
      name: 'Everywhere',
      lines: [
        { keys: [`${command}K`], does: 'opens the search, or closes it' },
        { keys: ['/'], does: 'opens the search to write a filter' },
        { keys: ['?'], does: 'lists the keys' },
        { keys: ['E'], does: 'opens the export, on pages that have one' },
        { keys: ['W'], does: 'stars or unstars the symbol or user of the page' },
        { keys: ['Esc'], does: 'closes what is open' },
      ],
    },
    {
      name: 'Search',
      lines: [
        { keys: ['↑', '↓'], does: 'highlight a suggestion' },
        { keys: ['Enter'], does: 'takes the highlighted suggestion' },
        { keys: ['Tab'], does: 'completes the word at the caret' },
        { keys: [`${command}Enter`], does: 'opens it in a new tab' },
      ],
    },
    {
      name: 'Bars',
      where: 'with the focus on them',
      lines: [
        { keys: ['←', '→', 'Home', 'End'], does: 'mark a bar' },
        { keys: ['Enter', 'Space'], does: 'filters by the bar' },
      ],
    },
    {
      name: 'Ends of a range',
      where: 'with the focus on one',
      lines: [
        { keys: ['←', '→', 'Page ↑', 'Page ↓'], does: 'move it; with Shift, both' },
        { keys: ['Home', 'End'], does: 'move it as far as it goes' },
        { keys: ['Delete'], does: 'removes it' },
      ],
    },
    {
      name: 'Table of ratings',
      where: 'with the focus in the table',
      lines: [
        { keys: ['↑', '↓'], does: 'go to another row' },
        { keys: ['Home', 'End'], does: 'go to the first or the last row' },
        { keys: ['Page ↑', 'Page ↓'], does: 'go one screen of rows up or down' },
        { keys: ['Enter'], does: 'opens the rating beside the table' },
        { keys: ['Space'], does: 'selects the row; with Shift, all rows up to it' },
        { keys: ['Shift ↑', 'Shift ↓'], does: 'select rows one after the other' },
        { keys: [`${command}A`], does: 'selects every row of the page' },
        { keys: [`${command}C`], does: 'copies the selected rows' },
        { keys: ['F', 'Menu', 'Shift F10'], does: 'opens the menu of a cell' },
        { keys: ['Esc'], does: 'closes the rating, then ends the selection' },
      ],
    },
    {
      name: 'Rating beside the table',
      where: 'J and K wherever the focus is, arrows in it',
      lines: [
        { keys: ['J', '→'], does: 'go to the next rating' },
        { keys: ['K', '←'], does: 'go to the previous rating' },
        { keys: ['Esc'], does: 'closes it' },
      ],
    },
  ]
}

const WAYS = [
  ['/docs/table#filter-text', 'Filter text', 'what the search understands'],
  ['/docs/definitions', 'How figures are defined', 'the formula of each figure'],
  ['/docs/troubleshooting', 'Troubleshooting', 'messages and what to do'],
] as const

export const HelpScreen = () => (
  <PageBody className="max-w-[90rem]">
    <PageHeader title="Help" />
    <HelpTabs path="/help" />
    <ul className="grid gap-x-8 gap-y-1.5 sm:grid-cols-2 xl:grid-cols-3">
      {WAYS.map(([href, name, detail]) => (
        <li key={href}>
          <AsOfLink href={href} className="link">
            {name}
          </AsOfLink>
          <span className="text-ink-3">: {detail}</span>
        </li>
      ))}
    </ul>
    <Panel title="Keys">
      <SingleKeysSwitch />
      <div className="pt-2 sm:columns-2 sm:gap-x-10 xl:columns-3">
        <KeyGroups />
      </div>
    </Panel>
  </PageBody>
)
