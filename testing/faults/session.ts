import type { Socket } from 'node:net'
import { extendedQuery, type Frame, fatalError, parseTexts, readType, simpleQuery } from './frames.ts'

/** The faults of a call: its connection is lost before or after the server handled it, or it gets an SQL state. */
export const faults = ['lost before', 'lost after', '40001', '40P01', '53300', '57P01'] as const

/** One of these faults. */
export type Fault = (typeof faults)[number]

type Call = { readonly isCutAfter: boolean }

/**
 * Which call meets which fault, and how many calls were counted; `hit` is the statement that met it. Calls that are left out
 * are not counted.
 */
export type Plan = {
  fault: Fault
  at: number
  calls: number
  hit: string | undefined
  isLeftOut(text: string): boolean
}

// A statement that waits for nobody, a connection or a setting, never blocks another, and 53300 refuses connections.
const canMeet = (fault: Fault, text: string): boolean => {
  if (text === 'select pg_is_in_recovery() as is_copy') return fault.startsWith('lost') || fault === '57P01'
  return !fault.startsWith('40') || !/^(?:connect|begin|rollback|set (?:local )?stoa\.school_id = '[^']*')$/.test(text)
}

const raising = (fault: Fault): string =>
  fault === '57P01'
    ? 'do $$ begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(5); end $$'
    : `do $$ begin raise exception 'raised by the test' using errcode = '${fault}'; end $$`

// The real server raises the state, so that its session is left as it would be. A COMMIT that fails has ended its
// transaction; a statement was parsed before it failed.
const failing = (frames: readonly Frame[], fault: Fault): Frame[] => {
  const [first] = frames
  if (first === undefined) return []
  if (readType(first) !== 'Q')
    return [...frames.filter(one => readType(one) === 'P'), ...extendedQuery(raising(fault)), ...frames.slice(-1)]
  const [text] = parseTexts(first)
  return [simpleQuery(`${text === 'commit' ? 'rollback; ' : ''}${raising(fault)}`)]
}

// A server process reports FATAL before its transaction and its locks have ended; they have ended once it has closed.
const isFatal = (one: Frame): boolean => readType(one) === 'E' && one.includes('VFATAL\0')

/** One connection of an application, and the proxy's connection to the server for it. */
export type Session = {
  request(frame: Frame): void
  answered(frame: Frame, hasStarted: boolean): void
  isLost(): boolean
  lose(): void
}

/** Forwards the messages of one connection; the call that the plan names meets its fault. */
export const openSession = (
  client: Socket,
  upstream: Socket,
  plan: () => Plan | undefined,
  isUncounted: (text: string) => boolean,
) => {
  const names = new Map<string, string>()
  const calls: Call[] = []
  let isLost = false
  let isStarted = false
  let group: Frame[] = []

  const lose = (isRude: boolean): void => {
    isLost = true
    if (isRude) client.resetAndDestroy()
    else client.end()
    upstream.end()
    upstream.resume()
  }
  const isMet = (text: string): Plan | undefined => {
    const now = plan()
    if (now === undefined || isUncounted(text) || now.isLeftOut(text)) return undefined
    if (!canMeet(now.fault, text) || ++now.calls !== now.at) return undefined
    now.hit = text
    return now
  }
  const pass = (frames: readonly Frame[], isCutAfter = false): void => {
    calls.push({ isCutAfter })
    upstream.write(Buffer.concat(frames))
  }
  const start = (first: Frame): void => {
    isStarted = true
    const met = isMet('connect')
    if (met === undefined || met.fault === 'lost after') {
      pass([first], met !== undefined)
      return
    }
    if (met.fault !== 'lost before') client.write(fatalError(met.fault))
    lose(met.fault === 'lost before')
  }
  const readText = (frames: readonly Frame[]): string => {
    for (const one of frames) {
      const [name = '', text = ''] = parseTexts(one)
      if (readType(one) === 'Q') return name
      if (readType(one) === 'P') names.set(name, text)
      if (readType(one) === 'B') return names.get(text) ?? ''
    }
    return ''
  }
  const call = (frames: readonly Frame[]): void => {
    const met = isMet(readText(frames))
    if (met === undefined || met.fault === 'lost after') pass(frames, met !== undefined)
    else if (met.fault === 'lost before') lose(true)
    else pass(failing(frames, met.fault))
  }
  const request = (one: Frame): void => {
    if (isLost) return
    if (!isStarted) {
      start(one)
      return
    }
    const type = readType(one)
    if (type === 'X' || type === 'p') {
      upstream.write(one)
      return
    }
    group.push(one)
    if (type !== 'Q' && type !== 'S') return
    const whole = group
    group = []
    call(whole)
  }
  const answered = (one: Frame, hasStarted: boolean): void => {
    if (isLost) return
    const isEnd = readType(one) === 'Z'
    // The server's messages before the connection is ready are forwarded, else it never becomes ready.
    if (!calls[0]?.isCutAfter || !(hasStarted || isEnd)) client.write(one)
    isLost = isFatal(one)
    if (!isEnd) return
    if (calls.shift()?.isCutAfter) lose(false)
  }
  return {
    request,
    answered,
    isLost: () => isLost,
    lose: () => {
      if (!isLost) lose(false)
    },
  }
}
