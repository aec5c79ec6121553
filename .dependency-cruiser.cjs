/**
 * The rooms of docs/architecture.md, as rules. A room may import what its row names and nothing else.
 * Each row: room → the rooms of ours that it may import.
 */
const rooms = {
  'lib/contract': [],
  'lib/service': ['lib/contract'],
  'lib/upstream': ['lib/contract'],
  'lib/archive': ['lib/contract'],
  'lib/sync': ['lib/archive', 'lib/upstream', 'lib/contract'],
  'lib/api': ['lib/archive', 'lib/sync', 'lib/upstream', 'lib/contract'],
  'lib/client': ['lib/contract'],
  'lib/testing': ['lib/contract'],
  'lib/server': ['lib'],
  components: ['lib/client', 'lib/contract'],
  app: ['lib/server', 'lib/client', 'lib/contract', 'components'],
  'pages/api': ['lib/server', 'lib/contract'],
}

const wall = ([room, allowed]) => ({
  name: `room ${room}`,
  severity: 'error',
  from: { path: `^${room}/`, pathNot: '\\.test(-support)?\\.tsx?$' },
  to: {
    path: '^(lib|components|app|pages|scripts|bench|e2e|soak)/',
    pathNot: [room, ...allowed].map((name) => `^${name}/`),
  },
})

module.exports = {
  forbidden: [
    ...Object.entries(rooms).map(wall),
    {
      name: 'what misbehaves on purpose is for tests',
      severity: 'error',
      from: {
        path: '^(lib|components|app|pages|instrumentation|proxy)',
        pathNot: '^lib/testing/|\\.test(-support)?\\.tsx?$',
      },
      to: { path: '^lib/testing/' },
    },
    { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'primitives never heard of a rating',
      severity: 'error',
      from: { path: '^components/ui/' },
      to: { path: '^(lib|components)/', pathNot: '^components/(ui|format)/' },
    },
    {
      name: 'saved views know addresses, not the table',
      severity: 'error',
      from: { path: '^components/views/' },
      to: { path: '^components/', pathNot: '^components/(views|ui|format|columns|saving)/' },
    },
    {
      name: 'files of charts know no chart',
      severity: 'error',
      from: { path: '^components/chart-files/' },
      to: { path: '^components/', pathNot: '^components/(chart-files|ui|format|saving|export)/' },
    },
    {
      name: 'frames know no chart',
      severity: 'error',
      from: { path: '^components/embed/' },
      to: { path: '^components/', pathNot: '^components/(embed|address)/' },
    },
    {
      name: 'times know no screen',
      severity: 'error',
      from: { path: '^components/time/' },
      to: { path: '^components/', pathNot: '^components/(time|ui|format|address|charts)/' },
    },
    {
      name: 'the time machine knows addresses, not what they show',
      severity: 'error',
      from: { path: '^components/time-machine/' },
      to: {
        path: '^components/',
        pathNot: '^components/(time-machine|time|ui|format)/|^components/ui/keyboard-shortcuts.ts',
      },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mts', '.mjs', '.js', '.cjs', '.json'],
    },
  },
}
