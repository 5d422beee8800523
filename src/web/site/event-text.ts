import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts around the events of a school, in every language; `{…}` is filled in. */
export const eventText = {
  title: say('Events', 'Eventos'),
  pastTitle: say('Past events', 'Eventos passados'),
  intro: say('Meet {school}, in person and online.', 'Encontre {school}, presencialmente e online.'),
  none: say('No events are planned at the moment.', 'De momento não há eventos previstos.'),
  toPast: say('See past events', 'Ver eventos passados'),
  toComing: say('See what comes next', 'Ver os próximos eventos'),
  next: say('More events', 'Mais eventos'),
  first: say('Back to the first page', 'Voltar à primeira página'),
  subscribe: say('Subscribe to the calendar', 'Subscrever o calendário'),
  online: say('Online', 'Online'),
  hybrid: say('In person and online', 'Presencial e online'),
  soldOut: say('Sold out', 'Esgotado'),
  waitlist: say('Waiting list', 'Lista de espera'),
  cancelled: say('Cancelled', 'Cancelado'),
  ended: say('This event is over.', 'Este evento já terminou.'),
  wasCancelled: say('This event does not take place.', 'Este evento não se realiza.'),
  live: say('Now', 'Agora'),
  dateCount: { one: say('{n} date', '{n} data'), other: say('{n} dates', '{n} datas') },
  seats: { one: say('{n} seat left', 'Resta {n} lugar'), other: say('{n} seats left', 'Restam {n} lugares') },
  about: say('About this event', 'Sobre este evento'),
  dates: say('Dates', 'Datas'),
  dateOf: say('{event}: {date}', '{event}: {date}'),
  approval: say('the hosts confirm it', 'sujeito a confirmação'),
  register: say('Register', 'Inscrever-se'),
  wait: say('Join the waiting list', 'Entrar na lista de espera'),
  laterDates: { one: say('{n} later date', 'Mais {n} data'), other: say('{n} later dates', 'Mais {n} datas') },
  moreDates: say('There are more dates later.', 'Há mais datas depois.'),
  place: say('Where', 'Onde'),
  map: say('Show on a map', 'Mostrar num mapa'),
  hosts: say('Your hosts', 'Quem recebe'),
  addToCalendar: say('Add to your calendar', 'Juntar ao seu calendário'),
  toCourse: say('The course of this event', 'O curso deste evento'),
  meetingHint: say(
    'Those who are registered find the address of the meeting in their account.',
    'Quem se inscreve encontra o endereço da reunião na sua conta.',
  ),
} as const
