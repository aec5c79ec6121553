'use client'

import { useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Checkbox } from '#components/ui/fields.tsx'
import { type KeyGroup, type KeyLine, toKeyGroups } from './keys.ts'
import { useCommandKey } from './platform.ts'
import { areSingleKeysOn, setSingleKeys } from './single-keys.ts'

/** All keys, and the switch for those that are a single character. */
export function KeyHelp({ onClose }: { onClose: () => void }) {
  const groups = toKeyGroups(useCommandKey())
  const [isOn, setOn] = useState(areSingleKeysOn)
  const change = (on: boolean) => {
    setSingleKeys(on)
    setOn(on)
  }
  return (
    <div className="flex max-h-[inherit] flex-col">
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
        className="grid min-h-0 gap-x-8 gap-y-4 overflow-y-auto px-4 py-3 -outline-offset-2 sm:columns-2 sm:block [scrollbar-width:thin]"
      >
        {groups.map((group) => (
          <Group key={group.name} group={group} />
        ))}
      </section>
      <div className="border-t px-4 py-2">
        <Checkbox
          label="Single characters (/, ?, J, K, brackets) work outside of fields"
          checked={isOn}
          onChange={({ target }) => change(target.checked)}
        />
      </div>
    </div>
  )
}

const Group = ({ group: { name, where, lines } }: { group: KeyGroup }) => (
  <div className="break-inside-avoid sm:mb-4">
    <h3 className="text-base">{name}</h3>
    {where && <p className="text-sm text-ink-3">{where}</p>}
    <dl className="mt-1">
      {lines.map((line) => (
        <Line key={line.does} line={line} />
      ))}
    </dl>
  </div>
)

const Line = ({ line: { keys, does } }: { line: KeyLine }) => (
  <div className="flex items-baseline gap-3 border-t py-1">
    <dt className="flex w-[6.75rem] shrink-0 flex-wrap gap-1">
      {keys.map((key) => (
        <kbd key={key} className="rounded-sm border border-line-2 px-1 font-sans text-xs">
          {key}
        </kbd>
      ))}
    </dt>
    <dd className="min-w-0 text-sm text-ink-2">{does}</dd>
  </div>
)
