import type { ListConvention } from './list-convention';

/** `?offset=20`. */
export const offset: ListConvention = {
  id: 'offset',
  parameters: [
    [
      /^(?:offset|skip|start|startindex|from|startat|startposition|startrow|firstrow|firstresult)$/,
      'integer',
      'offset',
    ],
  ],
  pageProperties: [
    [/^(?:offset|skip|start|startindex|startposition|from)$/, 'number', 'offset'],
    [/^startposition$/, 'string', 'offset'],
    [/^(?:end(?:position|index|row)|last(?:index|row))$/, 'number', 'end'],
    [/^endposition$/, 'string', 'end'],
  ],
  values: {
    offset: ({ start }) => start,
    end: ({ start, length }) => (length === 0 ? undefined : start + length - 1),
  },
  skip: ({ offset: parameter }, sent) => {
    const number = parameter && sent(parameter);
    return number === undefined ? undefined : Math.max(0, number);
  },
  moves: {
    next: ({ offset: parameter }, at) => parameter && { parameter, value: at.start + at.length },
    previous: ({ offset: parameter }, at) =>
      parameter === undefined || at.start === 0 ? undefined : { parameter, value: Math.max(0, at.start - at.size) },
    last: ({ offset: parameter }, at) => parameter && { parameter, value: Math.max(0, at.pageCount - 1) * at.size },
  },
};
