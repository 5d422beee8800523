// One thing: the short films of the demo school, which `node tools/demo-films.ts [NAME…]` writes to src/demo/files/films with ffmpeg.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import sharp from 'sharp'
import {
  board,
  cloth,
  cut,
  DEFINITIONS,
  dust,
  at as place,
  renderShadow,
  scatter,
  table,
  times,
  wheat,
} from './demo-drawings.ts'

// Frames show the middle of drawings of 1500 by 1000.
const [WIDTH, HEIGHT] = [640, 360]
const VIEW = '0 78 1500 844'
const RATE = 12
const SECONDS = 20
const FOLDER = join(import.meta.dirname, '../src/demo/files/films')

/** How far something has come that begins and ends at these seconds, from 0 to 1, with a soft beginning and end. */
const between = (second: number, begin: number, end: number): number => {
  const part = Math.min(1, Math.max(0, (second - begin) / (end - begin)))
  return part * part * (3 - 2 * part)
}

const label = (text: string, color: string): string =>
  `<text x="90" y="210" font-family="DejaVu Sans, sans-serif" font-size="62" font-weight="bold" fill="${color}">${text}</text>`

const JAR = '<path d="M-170 -240H170V230Q170 280 120 280H-120Q-170 280 -170 230Z"/>'

const drops = (second: number): string => {
  if (second > 1 && second < 3.4)
    return times(60, index => {
      const y = 90 + ((second * 480 + scatter(index) * 620) % 520)
      return `<circle cx="${690 + scatter(index + 40) * 120}" cy="${y}" r="${3 + scatter(index + 9) * 4}" fill="#fffaf0"/>`
    })
  if (second > 3.2 && second < 5)
    return '<path d="M752 70C764 260 740 440 750 640" stroke="#d6edf2" stroke-width="24" fill="none" opacity="0.75" stroke-linecap="round"/>'
  return ''
}

// A spoon of flour and a cup of water, then eight hours in which the starter doubles and begins to fall.
const feeding = (second: number): string => {
  const [fed, rise, fall] = [between(second, 1, 5), between(second, 6, 16), between(second, 17.5, 20)]
  const top = 190 - fed * 78 - rise * 236 + fall * 34
  const dome = 34 * rise - 30 * fall
  const bubbles = times(52, index => {
    const grown = Math.min(1, Math.max(0, rise * 1.4 - scatter(index + 70) * 0.6))
    const y = 250 - scatter(index + 20) * Math.max(10, 220 - top)
    return `<circle cx="${scatter(index) * 270 - 135}" cy="${y}" r="${grown * (4 + scatter(index + 5) * 15)}" fill="#fff6e0" opacity="${0.35 + scatter(index + 8) * 0.5}"/>`
  })
  const starter = `<path d="M-160 ${top}Q0 ${top - dome} 160 ${top}V228Q160 270 118 270H-118Q-160 270 -160 228Z" fill="#ecd3a4"/>`
  const jar = `${starter}${bubbles}<g fill="url(#glass)" stroke="#ffffff" stroke-opacity="0.6" stroke-width="6">${JAR}</g><path d="M-174 116H174" stroke="#8a3b12" stroke-width="12"/>`
  const hour = 8 + between(second, 6, 20) * 9
  const text = second < 6 ? '1 : 1 : 1' : `${String(Math.floor(hour)).padStart(2, '0')}:00`
  return `${drops(second)}${place(750, 540, 0, jar, 1.2)}${label(text, '#fff8ea')}`
}

const SLAB = 690

type Stack = { readonly length: number; readonly height: number; readonly layers: number }

// A piece of dough with its layers of butter, its corner below at the left at a point.
const stack = (x: number, y: number, { length, height, layers }: Stack): string =>
  `<rect x="${x}" y="${y - height}" width="${length}" height="${height}" rx="16" fill="#f3ddb2" stroke="#d8b67c" stroke-width="3"/>${times(
    layers,
    index => {
      const space = height / (layers * 2 + 1)
      return `<rect x="${x + 8}" y="${y - height + space * (index * 2 + 1)}" width="${length - 16}" height="${Math.max(1.6, space)}" rx="3" fill="#f2b632"/>`
    },
  )}`

const around = (x: number, y: number, turn: number, inside: string): string =>
  `<g transform="rotate(${turn} ${x} ${y})">${inside}</g>`

// The side of a dough with its layers of butter, rolled out and folded three times.
const turns = (second: number): string => {
  const turn = Math.min(2, Math.floor(second / 6.4))
  const inside = second - turn * 6.4
  const [rolled, right, left] = [between(inside, 0.6, 2.4), between(inside, 2.8, 4), between(inside, 4.2, 5.4)]
  const layers = 3 ** turn
  const height = 240 - 160 * rolled
  const length = 380 + 760 * rolled
  const third = { length: length / 3, height, layers }
  const begin = 750 - length / 2
  const [first, last] = [begin + third.length, begin + 2 * third.length]
  const dough =
    right === 0
      ? stack(begin, SLAB, { length, height, layers })
      : stack(first, SLAB, third) +
        around(last, SLAB - height, -180 * right, stack(last, SLAB, third)) +
        around(first, SLAB - height * (1 + left), 180 * left, stack(begin, SLAB - height * left, third))
  const count = left > 0.95 ? layers * 3 : layers
  return `${dough}${label(String(count), '#5c2a0c')}`
}

const LOAF =
  '<path d="M-560 0C-560 -52 -470 -88 -330 -92L330 -92C470 -88 560 -52 560 0C560 52 470 90 330 92L-330 92C-470 90 -560 52 -560 0Z"/>'

// Five cuts along a baguette, which then opens in the oven.
const cuts = (second: number): string => {
  const baked = between(second, 10, 18)
  const done = (index: number): number => between(second, 1 + index * 1.6, 2.2 + index * 1.6)
  const from = (index: number): number => -476 + index * 200
  const lines = times(5, index => {
    if (done(index) === 0) return ''
    const [begin, end] = [from(index), from(index) + 160 * done(index)]
    return cut(`M${begin} 34L${end} ${34 - 74 * done(index)}`, 4 + 21 * baked)
  })
  const index = Math.min(4, Math.max(0, Math.floor((second - 1) / 1.6)))
  const tip = `translate(${from(index) + 160 * done(index)} ${34 - 74 * done(index)}) rotate(-58)`
  const blade = `<g transform="${tip}" opacity="${1 - between(second, 8.8, 9.4)}"><rect x="0" y="-13" width="150" height="26" rx="5" fill="#dfe5e8"/><rect x="140" y="-19" width="230" height="38" rx="19" fill="#4b3526"/></g>`
  const loaf = `${renderShadow(LOAF, 16, 30, 0.5)}<g fill="#efdcb4">${LOAF}</g><g fill="url(#stick)" opacity="${baked}">${LOAF}</g><g filter="url(#grain)" opacity="${0.12 + 0.28 * baked}">${LOAF}</g><g transform="scale(1 ${1 / (1 + 0.12 * baked)})">${lines}</g><g filter="url(#flour)" opacity="0.42">${LOAF}</g>${blade}`
  const glow = `<rect width="1500" height="1000" fill="#f08a24" opacity="${0.22 * baked}"/>`
  const turned = `<g transform="translate(750 520) rotate(-6) scale(1.12 ${1.12 + 0.13 * baked})">${loaf}</g>`
  return `${glow}${turned}${label(second < 10 ? `${index + 1} / 5` : '240 °C', '#fff8ea')}`
}

type Film = { readonly background: string; draw(second: number): string }

const films: Readonly<Record<string, Film>> = {
  feeding: {
    background: `${table('#c8643a', '#863712')}${cloth(860, 330, 9, '#f4eadb', '#46564a')}${dust(480, 780, 520, 170, 90)}${wheat(1260, 210, -64, 0.8)}`,
    draw: feeding,
  },
  turns: {
    background: `${table('#e9cdb4', '#cc9f7d')}${cloth(930, 130, 6, '#fbf6ec', '#8a3b12')}<rect x="80" y="${SLAB}" width="1340" height="70" rx="10" fill="#b98652"/><rect x="80" y="${SLAB}" width="1340" height="14" rx="7" fill="#d2a571"/>${dust(750, 820, 640, 150, 170)}`,
    draw: turns,
  },
  cuts: {
    background: `${table('#40555f', '#23333b')}${cloth(500, -60, -5, '#efe6d6', '#b5873f')}${dust(760, 560, 700, 230, 130)}${board(750, 560, 1330, 380, -6)}`,
    draw: cuts,
  },
}

const frame = (content: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="${VIEW}">${DEFINITIONS}${content}</svg>`,
  )

const record = async (name: string, { background, draw }: Film): Promise<void> => {
  const still = await sharp(frame(background)).png().toBuffer()
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
  for (let count = 0; count < RATE * SECONDS; count++) {
    const moving = await sharp(frame(draw(count / RATE)))
      .png()
      .toBuffer()
    const pixels = await sharp(still)
      .composite([{ input: moving }])
      .removeAlpha()
      .raw()
      .toBuffer()
    if (!ffmpeg.stdin.write(pixels)) await once(ffmpeg.stdin, 'drain')
  }
  ffmpeg.stdin.end()
  const [code] = await once(ffmpeg, 'close')
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`)
}

const wanted = process.argv.slice(2)
for (const [name, film] of Object.entries(films))
  if (wanted.length === 0 || wanted.includes(name)) await record(name, film)
