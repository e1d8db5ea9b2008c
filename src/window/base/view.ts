import type { JSX } from 'preact';

/** One of the places that the navigation leads to. A view reads its address itself. */
export interface View {
  /** Of its address: `#/requests`. */
  readonly name: string;
  readonly title: string;
  /**
   * What a page without a chosen sandbox shows there: `all` of them, or the `main` one. `none` where sandboxes do not
   * matter.
   */
  readonly sandboxes: 'all' | 'main' | 'none';
  /** Is there anything to show? Always, when left out. */
  readonly isShown?: () => boolean;
  readonly Page: () => JSX.Element;
}
