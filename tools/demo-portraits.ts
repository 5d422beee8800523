// One thing: the portraits of the lecturers of the demo school, as SVG of 800 by 800.
import { DEFINITIONS } from './demo-drawings.ts'

/** How somebody looks; `hair` is drawn behind the head, `front` before it. */
type Looks = {
  readonly wall: string
  readonly shirt: string
  readonly apron: string
  readonly skin: string
  readonly shade: string
  readonly hair: string
  readonly front: string
}

const renderPortrait = ({ wall, shirt, apron, skin, shade, hair, front }: Looks): string => `${DEFINITIONS}
<rect width="800" height="800" fill="${wall}"/><rect width="800" height="800" filter="url(#grain)" opacity="0.25"/>${hair}
<path d="M120 800C130 650 230 590 400 590S670 650 680 800Z" fill="${shirt}"/>
<path d="M270 800L292 612Q400 690 508 612L530 800Z" fill="${apron}"/><path d="M292 612L262 590M508 612L538 590" stroke="${apron}" stroke-width="34" stroke-linecap="round"/>
<path d="M340 500V600Q400 660 460 600V500Z" fill="${shade}"/>
<path d="M262 350C262 250 320 190 400 190S538 250 538 350C538 470 480 550 400 550S262 470 262 350Z" fill="${skin}"/>
<circle cx="262" cy="382" r="26" fill="${skin}"/><circle cx="538" cy="382" r="26" fill="${skin}"/>
<circle cx="318" cy="434" r="30" fill="#d9714f" opacity="0.28"/><circle cx="482" cy="434" r="30" fill="#d9714f" opacity="0.28"/>
<path d="M322 372Q346 350 370 372M430 372Q454 350 478 372" stroke="#3a2418" stroke-width="9" fill="none" stroke-linecap="round"/>
<path d="M400 384Q388 432 408 436" stroke="${shade}" stroke-width="9" fill="none" stroke-linecap="round"/>
<path d="M348 474Q400 520 452 474" stroke="#8c3b26" stroke-width="10" fill="none" stroke-linecap="round"/>${front}`

/** The lecturers. */
export const portraits: Readonly<Record<string, string>> = {
  carla: renderPortrait({
    wall: '#7c8c7b',
    shirt: '#f1e8d8',
    apron: '#8a3b12',
    skin: '#e8b48c',
    shade: '#cf9268',
    hair: '<path d="M230 600C190 420 200 150 400 140S610 420 570 600Z" fill="#3d241a"/><circle cx="400" cy="128" r="74" fill="#3d241a"/>',
    front:
      '<path d="M256 360C256 240 330 200 430 214C500 224 540 280 544 360C520 300 470 280 420 270C350 268 290 300 256 360Z" fill="#3d241a"/>',
  }),
  gil: renderPortrait({
    wall: '#c99b78',
    shirt: '#40555f',
    apron: '#f1e8d8',
    skin: '#b57b52',
    shade: '#95603c',
    hair: '',
    front: `<path d="M262 400C270 500 310 566 400 566S530 500 538 400C520 440 480 446 452 450Q400 430 348 450C320 446 280 440 262 400Z" fill="#4b3a30"/><path d="M348 484Q400 516 452 484" stroke="#c9745a" stroke-width="11" fill="none" stroke-linecap="round"/>
<path d="M236 270C216 150 300 96 400 96S584 150 564 270Q400 214 236 270Z" fill="#fbf6ec"/><path d="M246 288Q400 226 554 288L558 246Q400 190 242 246Z" fill="#eee4d2"/>`,
  }),
}
