// One thing: the drawings of the demo school, which `node tools/demo-pictures.ts [NAME…]` writes to src/demo/files/pictures.
import { join } from 'node:path'
import sharp from 'sharp'
import { at, board, cloth, DEFINITIONS, dust, HEIGHT, table, WIDTH, wheat } from './demo-drawings.ts'
import { portraits } from './demo-portraits.ts'
import {
  baguette,
  batard,
  boule,
  bowl,
  broa,
  calendar,
  croissant,
  flatbread,
  hearth,
  jar,
  letter,
  notebook,
  pencil,
  plate,
  sack,
  skillet,
  slice,
  tin,
} from './demo-things.ts'

const FOLDER = join(import.meta.dirname, '../src/demo/files/pictures')

const pictures: Readonly<Record<string, string>> = {
  kitchen: `${table('#4d5d57', '#232d2a')}${cloth(880, 120, 8, '#f3eadb', '#8a3b12')}${dust(700, 640, 760, 320, 210)}${board(560, 600, 900, 560, -6)}${boule(520, 540, 300)}${jar(1110, 480)}${wheat(1350, 330, 30, 0.85)}${wheat(150, 170, -44, 0.8)}${batard(1110, 840, -8, 0.5)}`,
  workbook: `${table('#5f7f80', '#2f484b')}${cloth(-160, 120, -9, '#f4ebdc', '#b5873f')}${dust(760, 540, 620, 160, 250)}${notebook(700, 500, -9)}${pencil(1130, 610, 58)}${wheat(1290, 200, 36, 0.8)}${wheat(230, 420, -30, 0.7)}`,
  sourdough: `${table('#7c8c7b', '#46564a')}${cloth(-60, 200, -12, '#f1e8d8', '#8a3b12')}${dust(760, 700, 620, 260, 1)}${wheat(1290, 180, 28, 1)}${wheat(1370, 250, 44, 0.92)}${boule(730, 500, 385)}${wheat(250, 180, -38, 0.8)}`,
  'first-loaf': `${table('#e3b57e', '#bd8148')}${cloth(880, -60, 14, '#f6efe3', '#4f6354')}${board(700, 560, 1000, 600, -7)}${dust(720, 600, 560, 190, 40)}${batard(700, 540, -13, 1.08)}${wheat(1250, 480, 24, 0.9)}`,
  starter: `${table('#c8643a', '#863712')}${cloth(760, 330, 9, '#f4eadb', '#46564a')}${dust(480, 780, 520, 170, 90)}${jar(500, 530)}${batard(1070, 560, 24, 0.78)}${wheat(860, 130, -64, 0.8)}`,
  baguettes: `${table('#40555f', '#23333b')}${cloth(380, 40, -5, '#efe6d6', '#b5873f')}${dust(760, 520, 700, 230, 130)}${baguette(720, 270, -13)}${baguette(770, 510, -13)}${baguette(820, 750, -13)}`,
  pan: `${table('#8d9a86', '#5a6657')}${cloth(-120, -80, 10, '#f4ebdc', '#8a3b12')}${dust(700, 700, 600, 160, 300)}${skillet(700, 560)}${flatbread(690, 560, 290, 4)}${flatbread(1240, 240, 190, 31)}${flatbread(1300, 320, 190, 57)}`,
  broa: `${table('#6a3d22', '#3a1f10')}${cloth(820, 120, 7, '#efe3cb', '#b5873f')}${dust(700, 620, 640, 300, 330)}${board(700, 560, 1000, 640, 5)}${broa(660, 540, 340)}${wheat(1290, 260, 30, 0.85)}`,
  calendar: `${table('#7a8f86', '#42564f')}${cloth(900, 300, -6, '#f4ebdc', '#8a3b12')}${dust(560, 720, 480, 130, 360)}${calendar(620, 500, -6)}${pencil(1150, 560, 64)}${croissant(1230, 250, 20, 0.6)}`,
  table: `${table('#b98a5a', '#7c5530')}${cloth(370, -120, 0, '#f6efe3', '#4f6354')}${dust(750, 520, 760, 260, 390)}${boule(360, 350, 210)}${batard(760, 720, 12, 0.62)}${batard(1130, 300, -30, 0.55)}${croissant(1150, 720, 14, 0.62)}${croissant(760, 250, -10, 0.5)}${jar(250, 760)}${wheat(1400, 480, 20, 0.7)}`,
  night: `${hearth('#5b5148', '#12100f')}${at(560, 690, 0, batard(0, 0, 0, 0.34))}${at(800, 680, 0, boule(0, 0, 105))}${at(1010, 692, 0, batard(0, 0, 0, 0.3))}`,
  oven: `${hearth('#c9b79c', '#8d7a63')}${at(640, 680, 0, boule(0, 0, 110))}${at(920, 690, 0, batard(0, 0, 0, 0.34))}${dust(750, 900, 700, 160, 420)}`,
  flour: `${table('#9aa58d', '#65705a')}${cloth(780, 420, 12, '#f4ebdc', '#b5873f')}${dust(760, 780, 660, 420, 450)}${sack(430, 470, -6, '#8a3b12')}${sack(900, 430, 5, '#4f6354')}${wheat(1290, 300, 34, 0.9)}${wheat(1200, 700, 70, 0.8)}`,
  jars: `${table('#56717a', '#2f444b')}${cloth(-80, 420, -7, '#f4ebdc', '#8a3b12')}${dust(760, 840, 620, 150, 480)}${at(0, 0, 0, jar(330, 540), 1)}${at(430, 60, 0, jar(330, 480), 1)}${at(860, 0, 0, jar(330, 560), 1)}${wheat(760, 120, -74, 0.7)}`,
  croissants: `${table('#e9cdb4', '#cc9f7d')}${cloth(60, 470, -8, '#fbf6ec', '#8a3b12')}${dust(760, 540, 640, 150, 170)}${wheat(1330, 640, 40, 0.8)}${croissant(510, 380, -14, 1.3)}${croissant(960, 640, 16, 1.3)}`,
  slices: `${table('#46564a', '#28332c')}${cloth(-120, 60, 9, '#f4ebdc', '#b5873f')}${dust(760, 640, 700, 240, 520)}${board(760, 540, 1040, 620, -5)}${at(420, 520, 84, batard(0, 0, 0, 0.62))}${slice(760, 520, 8, 0.95, 3)}${slice(1060, 560, -12, 0.95, 61)}${wheat(1380, 220, 34, 0.8)}`,
  bowls: `${table('#c8a06a', '#8d6436')}${cloth(900, 420, -8, '#f4ebdc', '#46564a')}${dust(740, 560, 700, 380, 560)}${bowl(330, 360, 240, '#fbf5e6')}${bowl(800, 300, 210, '#e8d3a6')}${bowl(640, 740, 225, '#c9a877')}${bowl(1170, 620, 260, '#edc24f')}${wheat(1300, 200, 50, 0.75)}`,
  letters: `${table('#6d5f73', '#41384a')}${dust(760, 640, 640, 140, 590)}${letter(340, 520, -11, '#7c8c7b', at(0, -85, 0, boule(0, 0, 300), 0.36))}${letter(760, 480, 4, '#e3b57e', at(0, -85, 0, batard(0, 0, -14, 1), 0.36))}${letter(1170, 540, 13, '#40555f', at(0, -85, 0, `${baguette(0, -70, -13)}${baguette(30, 120, -13)}`, 0.26))}${pencil(560, 860, 96)}${wheat(1400, 200, 30, 0.6)}`,
  toast: `${table('#5f7f80', '#37534f')}${cloth(820, -60, 12, '#f6efe3', '#8a3b12')}${dust(700, 700, 560, 150, 620)}${plate(680, 520, 420)}${slice(580, 460, -14, 0.86, 121)}${slice(780, 600, 16, 0.86, 171)}${wheat(1290, 700, 40, 0.8)}`,
  tin: `${table('#8a6a4a', '#553a22')}${cloth(700, 380, -10, '#efe6d6', '#46564a')}${dust(700, 620, 700, 260, 650)}${tin(700, 500, -9)}${wheat(1350, 240, 34, 0.85)}${wheat(180, 820, -70, 0.7)}`,
  club: `${table('#8a3b12', '#4f1f08')}${cloth(760, 80, 6, '#f6efe3', '#b5873f')}${dust(760, 600, 740, 260, 680)}${boule(400, 400, 250)}${at(880, 360, 0, notebook(0, 0, 9), 0.72)}${croissant(1220, 700, 12, 0.8)}${batard(700, 790, -8, 0.6)}${wheat(1330, 240, 30, 0.8)}`,
  basics: `${table('#9aa58d', '#5f6b55')}${cloth(-60, 360, -9, '#f6efe3', '#8a3b12')}${dust(760, 600, 680, 320, 710)}${bowl(480, 480, 310, '#fbf5e6')}${batard(1080, 620, 18, 0.68)}${wheat(1060, 220, -58, 0.8)}`,
}

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512" width="512" height="512">
<rect width="512" height="512" rx="128" fill="#8a3b12"/>
<path d="M76 320C76 196 150 128 256 128S436 196 436 320C436 362 408 384 362 384H150C104 384 76 362 76 320Z" fill="#fbeeda"/>
<path d="M164 318Q176 238 226 194M236 324Q248 244 300 196M308 326Q320 256 366 212" stroke="#8a3b12" stroke-width="30" stroke-linecap="round" fill="none"/>
</svg>`

const drawing = (content: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">${DEFINITIONS}${content}</svg>`,
  )

const square = (content: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 800" width="800" height="800">${content}</svg>`)

const drawings: Readonly<Record<string, Buffer>> = {
  ...Object.fromEntries(Object.entries(pictures).map(([name, content]) => [name, drawing(content)])),
  ...Object.fromEntries(Object.entries(portraits).map(([name, content]) => [name, square(content)])),
  logo: Buffer.from(logo),
}

const wanted = process.argv.slice(2)
for (const [name, bytes] of Object.entries(drawings)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  await sharp(bytes)
    .webp({ quality: name === 'logo' ? 90 : 78 })
    .toFile(join(FOLDER, `${name}.webp`))
}
