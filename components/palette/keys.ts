/** One line of the key list: any of these keys does that. */
export type KeyLine = { keys: string[]; does: string }

/** Keys of one place. `where` says when they work. */
export type KeyGroup = { name: string; where?: string; lines: KeyLine[] }

/** Every key of the dashboard, place by place. `command` stands before a key: `Ctrl `, `⌘`. */
export function toKeyGroups(command: string): KeyGroup[] {
  const with_ = (key: string) => `${command}${key}`
  return [
    {
      name: 'Everywhere',
      lines: [
        { keys: [with_('K')], does: 'opens the search to go somewhere; again, closes it' },
        { keys: ['/'], does: 'opens the search to write a filter' },
        { keys: ['?'], does: 'lists the keys' },
        { keys: ['Esc'], does: 'closes what is open' },
      ],
    },
    {
      name: 'Time machine',
      where: 'while the dashboard is rewound',
      lines: [
        { keys: ['[', ']'], does: 'step a day back or on' },
        { keys: ['{', '}'], does: 'step a week back or on' },
        { keys: ['Esc'], does: 'stops what plays' },
      ],
    },
    {
      name: 'Search',
      lines: [
        { keys: ['↑', '↓', 'Page ↑', 'Page ↓'], does: 'mark a suggestion' },
        { keys: ['Enter'], does: 'takes what is marked, else applies the filter' },
        { keys: ['Tab'], does: 'completes the word at the caret' },
        { keys: [with_('Enter')], does: 'opens it in a new tab' },
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
      name: 'Ends of the timeline and of the prediction',
      where: 'with the focus on one',
      lines: [
        { keys: ['←', '→', 'Page ↑', 'Page ↓'], does: 'move it; with Shift, both' },
        { keys: ['Home', 'End'], does: 'move it as far as it goes' },
        { keys: ['Delete'], does: 'takes it away' },
      ],
    },
    {
      name: 'Table of ratings',
      where: 'with the focus in the table',
      lines: [
        { keys: ['↑', '↓'], does: 'go to another row' },
        { keys: ['Home', 'End'], does: 'go to the first or the last row' },
        { keys: ['Page ↑', 'Page ↓'], does: 'go a screen of rows' },
        { keys: ['Enter'], does: 'opens the rating beside the table' },
        { keys: ['Space'], does: 'selects the row; with Shift, all rows up to it' },
        { keys: ['Shift ↑', 'Shift ↓'], does: 'select rows one after the other' },
        { keys: [with_('A')], does: 'selects every row of the page' },
        { keys: [with_('C')], does: 'copies the selected rows' },
        { keys: ['F', 'Menu', 'Shift F10'], does: 'opens what can be done with a value' },
        { keys: ['Esc'], does: 'closes the rating, then ends the selection' },
      ],
    },
    {
      name: 'Rating beside the table',
      where: 'J and K wherever the focus is, arrows in it',
      lines: [
        { keys: ['J', '→'], does: 'go to the next rating' },
        { keys: ['K', '←'], does: 'go to the one before' },
        { keys: ['Esc'], does: 'closes it' },
      ],
    },
  ]
}
