import type { Example } from '../openapi/model';

/** Where a body comes from that no state stands behind. */
export type BodyOrigin =
  | WrittenOrigin
  | { readonly kind: 'no-body' }
  /** Nothing that the schema allows could be made: the request is refused with 501. */
  | { readonly kind: 'impossible'; readonly reason: string };

/** The same of one that there is. */
export type WrittenOrigin =
  | {
      readonly kind: 'example';
      /** Key of `content`. */
      readonly mediaType: string;
      /** `undefined` for one without a name. */
      readonly name: string | undefined;
      readonly pointer: string;
      /** Examples before it that break the schema. */
      readonly passedOver: readonly Example[];
    }
  /** Made up: from the schema, or for the media type where there is none. */
  | {
      readonly kind: 'generated';
      readonly mediaType: string;
      /** Of the schema. */
      readonly pointer: string | undefined;
      /** Examples that break the schema. */
      readonly passedOver: readonly Example[];
    };
