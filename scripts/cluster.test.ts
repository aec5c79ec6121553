import { spawn, spawnSync } from 'node:child_process'
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleepMs } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod/mini'
import { ENV_NAMES } from '#lib/server/environment/env.ts'
import { freePort, type Loopback, listenOnLoopback } from '#testing/loopback.ts'
import { findNginx } from '../e2e/support/nginx.ts'

const NGINX_CONF = 'docs/cluster/nginx.conf'

const texts = z._default(z.record(z.string(), z.string()), {})
const service = z.object({
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal('ALL')]),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  mem_limit: z.string(),
  pids_limit: z.int(),
  ports: z.optional(z.array(z.string())),
  environment: texts,
  volumes: z.array(z.string()),
  secrets: z.optional(z.array(z.string())),
  networks: z.optional(z.unknown()),
})
const file = z.object({
  services: z.record(z.string(), service),
  secrets: z.optional(z.record(z.string(), z.object({ file: z.string() }))),
  volumes: z.record(z.string(), z.unknown()),
})
const addressed = z.object({ nodes: z.object({ ipv4_address: z.string() }) })

const readCompose = (path: string) =>
  file.parse(parse(readFileSync(path, 'utf8'), { merge: true, uniqueKeys: true }))

const single = readCompose('compose.yaml')
const cluster = readCompose('compose.cluster.yaml')
const nodes = Object.entries(cluster.services).filter(([name]) => name.startsWith('node-'))

describe('compose.cluster.yaml', () => {
  it('has three nodes, nginx and two servers of PostgreSQL, none of which may more than it needs', () => {
    expect(Object.keys(cluster.services).sort()).toEqual([
      ...['nginx', 'node-1', 'node-2', 'node-3', 'postgres-1', 'postgres-2'],
    ])
  })

  it('can be reached from this machine alone', () => {
    const ports = Object.values(cluster.services).flatMap(({ ports = [] }) => ports)
    expect(ports).toEqual(['127.0.0.1:8080:8080'])
  })

  it('names files that are there, scripts that may run, and volumes and secrets that it declares', () => {
    for (const { volumes, secrets = [] } of Object.values(cluster.services)) {
      for (const [source = ''] of volumes.map((volume) => volume.split(':'))) {
        if (!source.startsWith('./')) expect(cluster.volumes).toHaveProperty(source)
        else accessSync(source, source.endsWith('.sh') ? constants.X_OK : constants.R_OK)
      }
      for (const secret of secrets) expect(cluster.secrets).toHaveProperty(secret)
    }
  })

  it('gives its nodes no secret in the environment, and all settings that the one process takes', () => {
    const { RATINGS_API_KEY: _, ...settings } = single.services.bellwether?.environment ?? {}
    for (const [name, { environment }] of nodes) {
      expect(environment).toMatchObject({
        NODE_NAME: name,
        RATINGS_API_KEY_FILE: expect.any(String),
      })
      expect(Object.keys(environment)).toEqual(expect.arrayContaining(Object.keys(settings)))
      expect([...ENV_NAMES, 'NODE_NAME']).toEqual(expect.arrayContaining(Object.keys(environment)))
      expect(JSON.stringify(environment)).not.toMatch(/postgres:|PASSWORD/)
    }
  })

  it('has nginx ask the nodes where they are, and the nodes believe nginx', () => {
    const addresses = nodes.map(([, { networks }]) => addressed.parse(networks).nodes.ipv4_address)
    const conf = readFileSync(NGINX_CONF, 'utf8')
    const asked = Array.from(conf.matchAll(/^ +server ([\d.]+):3000/gm), ([, address]) => address)
    expect(asked).toEqual(addresses)
    const proxy = addressed.parse(cluster.services.nginx?.networks).nodes.ipv4_address
    for (const [, { environment }] of nodes) {
      expect(environment.TRUSTED_PROXIES?.startsWith(`${proxy}$`)).toBe(true)
    }
  })
})

it('nginx passes requests on to several nodes as the page of nodes says', () => {
  const documented = /```nginx\n([^`]+)```/.exec(readFileSync('docs/nodes.md', 'utf8'))?.[1] ?? ''
  const conf = readFileSync(NGINX_CONF, 'utf8')
  const lines = documented.match(/^ +proxy_.+;$/gm) ?? []
  expect(lines.length).toBeGreaterThan(8)
  const there = conf.split('\n').map((line) => line.trim())
  expect(there).toEqual(expect.arrayContaining(lines.map((line) => line.trim())))
  const options = (text: string) => text.match(/(?<= server [\d.]+:3000 ).+;/g)
  expect(options(documented)).toEqual(options(conf))
})

const program = findNginx() ?? ''

describe.skipIf(program === '')('nginx before several nodes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-cluster-'))
  const asked: string[] = []
  let upstreams: Loopback[] = []
  let url = ''
  let stop = async () => {}

  beforeAll(async () => {
    const servers = [200, 503].map((status) =>
      createServer(({ method }, response) => {
        asked.push(`${method} ${status}`)
        response.writeHead(status).end(String(status))
      }),
    )
    upstreams = await Promise.all(servers.map((server) => listenOnLoopback(server)))
    const ports = [...upstreams.map(({ port }) => port), await freePort()]
    const own = await freePort()
    const lines = readFileSync(NGINX_CONF, 'utf8')
      .replace(/10\.203\.77\.1([1-3]):3000/g, (_, node) => `127.0.0.1:${ports[node - 1]}`)
      .replace('listen 8080;', `listen 127.0.0.1:${own};`)
      .replaceAll('/tmp/', `${folder}/`)
    const conf = join(folder, 'nginx.conf')
    writeFileSync(conf, process.getuid?.() === 0 ? `user root;\n${lines}` : lines)
    const tested = spawnSync(program, ['-t', '-c', conf, '-p', folder, '-e', 'stderr'])
    expect(tested.status, String(tested.stderr)).toBe(0)
    const given = ['-c', conf, '-p', folder, '-e', 'stderr', '-g', 'daemon off;']
    const child = spawn(program, given, { stdio: 'ignore' })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    stop = async () => {
      child.kill('SIGTERM')
      await ended
    }
    while (!(await takesConnections(own))) await sleepMs(20)
    url = `http://127.0.0.1:${own}/`
  })

  afterAll(async () => {
    await stop()
    await Promise.all(upstreams.map(({ close }) => close()))
    rmSync(folder, { recursive: true, force: true })
  })

  const ask = async (method: string) => (await fetch(url, { method })).status

  it('a question that a node cannot answer goes to the next, time and again', async () => {
    const answers: number[] = []
    for (let turn = 0; turn < 12; turn += 1) answers.push(await ask('GET'))
    expect(answers).toEqual(Array(12).fill(200))
    // A 503 may concern a single request.
    expect(asked.filter((one) => one === 'GET 503').length).toBeGreaterThan(2)
  })

  it('a request that changes something is sent to one node only', async () => {
    asked.length = 0
    const answers: number[] = []
    for (let turn = 0; turn < 6; turn += 1) answers.push(await ask('POST'))
    expect(asked).toHaveLength(6)
    expect(new Set(answers)).toEqual(new Set([200, 503]))
  })
})

const takesConnections = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
