// One thing: the short films of the demo school, which `node tools/demo-films.ts` writes to src/demo/files/films with ffmpeg.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import sharp from 'sharp'

const [WIDTH, HEIGHT] = [640, 360]
const RATE = 12
const SECONDS = 20
const FOLDER = join(import.meta.dirname, '../src/demo/files/films')

const times = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join('')

// Numbers from 0 to 1 that look random and are the same at every run.
const scatter = (seed: number): number => {
  const value = Math.sin(seed * 127.1 + 11.7) * 43_758.5453
  return value - Math.floor(value)
}

/** How far something has come that begins and ends at these seconds, from 0 to 1, with a soft beginning and end. */
const between = (at: number, begin: number, end: number): number => {
  const part = Math.min(1, Math.max(0, (at - begin) / (end - begin)))
  return part * part * (3 - 2 * part)
}

const label = (text: string): string =>
  `<text x="32" y="52" font-family="DejaVu Sans, sans-serif" font-size="26" font-weight="bold" fill="#fff8ea">${text}</text>`

const background = (top: string, bottom: string): string =>
  `<linearGradient id="wall" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient>
<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#wall)"/><rect y="300" width="${WIDTH}" height="60" fill="#8a5a33"/><rect y="300" width="${WIDTH}" height="5" fill="#a8764a"/>`

const hourText = (hour: number): string => `${String(Math.floor(hour)).padStart(2, '0')}:00`

// A spoon of flour and a cup of water, then eight hours in which the starter doubles and begins to fall.
const feeding = (at: number): string => {
  const [fed, rise, fall] = [between(at, 1, 5), between(at, 6, 16), between(at, 17.5, 20)]
  const top = 262 - fed * 30 - rise * 96 + fall * 16
  const bubbles = times(34, index => {
    const grown = Math.max(0, rise * 1.3 - scatter(index + 70) * 0.6)
    const y = 294 - scatter(index + 20) * Math.max(8, 288 - top)
    return `<circle cx="${236 + scatter(index) * 168}" cy="${y}" r="${grown * (2 + scatter(index + 5) * 7)}" fill="#fff6e0" opacity="0.75"/>`
  })
  const flour =
    at > 1 && at < 3.4
      ? times(26, index => {
          const y = 30 + ((at * 190 + scatter(index) * 260) % 220)
          return `<circle cx="${290 + scatter(index + 40) * 60}" cy="${y}" r="2.4" fill="#fffaf0"/>`
        })
      : ''
  const water =
    at > 3.2 && at < 5
      ? '<path d="M322 20C326 90 318 150 322 250" stroke="#bfe0ea" stroke-width="12" fill="none" opacity="0.8"/>'
      : ''
  const hour = 8 + between(at, 6, 20) * 9
  return `${background('#c8643a', '#9b4720')}${flour}${water}
<path d="M226 ${top}Q320 ${top - 16 * rise + 14 * fall} 414 ${top}V292Q414 300 406 300H234Q226 300 226 292Z" fill="#ecd3a4"/>${bubbles}
<path d="M218 96H422V292Q422 304 410 304H230Q218 304 218 292Z" fill="#ffffff" opacity="0.16"/><path d="M218 96V292Q218 304 230 304H410Q422 304 422 292V96" stroke="#ffffff" stroke-opacity="0.75" stroke-width="5" fill="none"/>
<path d="M214 232H426" stroke="#8a3b12" stroke-width="7"/>${label(at < 6 ? '1 : 1 : 1' : hourText(hour))}`
}

// The side of a dough with its layers of butter, rolled out and folded three times.
const turns = (at: number): string => {
  const turn = Math.min(2, Math.floor(at / 6.4))
  const inside = at - turn * 6.4
  const [rolled, folded] = [between(inside, 0.6, 2.6), between(inside, 3, 5)]
  const layers = 3 ** turn
  const height = 96 - 64 * rolled
  const length = 190 + 330 * rolled
  const stack = (x: number, y: number, width: number): string =>
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="10" fill="#f1d7a6"/>${times(layers, index => {
      const space = height / (layers * 2 + 1)
      return `<rect x="${x + 4}" y="${y + space * (index * 2 + 1)}" width="${width - 8}" height="${Math.max(1, space)}" fill="#f4bf3c"/>`
    })}`
  const third = length / 3
  const left = 320 - length / 2
  const lift = Math.sin(folded * Math.PI) * 60
  const parts =
    folded === 0
      ? stack(left, 300 - height, length)
      : `${stack(left + third, 300 - height, third)}${stack(left + 2 * third - third * folded, 300 - height - folded * height - lift, third)}${stack(left + third * folded, 300 - height - folded * 2 * height - lift, third)}`
  const count = folded > 0.95 || at > 19.2 ? layers * 3 : layers
  return `${background('#e9cdb4', '#c99b78')}${parts}${label(String(count)).replace('#fff8ea', '#5c2a0c')}`
}

// Five cuts along a baguette, which then opens in the oven.
const cuts = (at: number): string => {
  const baked = between(at, 10, 18)
  const color = `rgb(${Math.round(241 - 36 * baked)} ${Math.round(221 - 92 * baked)} ${Math.round(178 - 118 * baked)})`
  const shape = `<rect x="70" y="${176 - 12 * baked}" width="500" height="${76 + 24 * baked}" rx="${40 + 10 * baked}"`
  const lines = times(5, index => {
    const done = between(at, 1 + index * 1.6, 2.2 + index * 1.6)
    const [x, y] = [112 + index * 88, 222 + 4 * baked]
    const open = 3 + baked * 15
    return done === 0
      ? ''
      : `<path d="M${x} ${y}L${x + 84 * done} ${y - 30 * done}" stroke="#7a3d12" stroke-width="${open + 3 * baked}" stroke-linecap="round"/><path d="M${x} ${y}L${x + 84 * done} ${y - 30 * done}" stroke="#fbeccb" stroke-width="${open}" stroke-linecap="round"/>`
  })
  const index = Math.min(4, Math.max(0, Math.floor((at - 1) / 1.6)))
  const done = between(at, 1 + index * 1.6, 2.2 + index * 1.6)
  const blade =
    at < 9.4
      ? `<g transform="translate(${112 + index * 88 + 84 * done} ${222 - 30 * done}) rotate(-52)"><rect x="0" y="-5" width="60" height="10" rx="2" fill="#dfe5e8"/><rect x="56" y="-7" width="90" height="14" rx="7" fill="#4b3526"/></g>`
      : ''
  const glow = `<rect width="${WIDTH}" height="${HEIGHT}" fill="#f08a24" opacity="${0.3 * baked}"/>`
  return `${background('#40555f', '#2b3b44')}${glow}${shape} fill="#000" opacity="0.25" transform="translate(6 12)"/>${shape} fill="${color}"/>${lines}${blade}${label(at < 10 ? `${Math.min(5, index + 1)} / 5` : '240 °C')}`
}

const films: Readonly<Record<string, (at: number) => string>> = { feeding, turns, cuts }

const record = async (name: string, draw: (at: number) => string): Promise<void> => {
  const input = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${WIDTH}x${HEIGHT}`, '-r', String(RATE), '-i', '-']
  const coded = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'veryslow', '-crf', '28', '-g', '120']
  const plain = ['-fflags', '+bitexact', '-flags:v', '+bitexact', '-map_metadata', '-1', '-movflags', '+faststart']
  const path = join(FOLDER, `${name}.mp4`)
  const ffmpeg = spawn(
    process.env.FFMPEG ?? 'ffmpeg',
    ['-y', '-loglevel', 'error', ...input, ...coded, ...plain, path],
    {
      stdio: ['pipe', 'inherit', 'inherit'],
    },
  )
  for (let frame = 0; frame < RATE * SECONDS; frame++) {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${draw(frame / RATE)}</svg>`
    const pixels = await sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer()
    if (!ffmpeg.stdin.write(pixels)) await once(ffmpeg.stdin, 'drain')
  }
  ffmpeg.stdin.end()
  const [code] = await once(ffmpeg, 'close')
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`)
}

for (const [name, draw] of Object.entries(films)) await record(name, draw)
