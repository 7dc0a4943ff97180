import { Component, type ReactNode } from "react";
import { ErrorState } from "../components/States.tsx";
import { asProblem } from "../hooks/bridge.ts";
import { frame } from "../words/frame.ts";

/** A screen that fails while drawing leaves the rest of the window alone and can be drawn again. */
export class Boundary extends Component<
  { readonly children: ReactNode },
  { readonly thrown: unknown; failed: boolean }
> {
  override state = { thrown: undefined as unknown, failed: false };

  static getDerivedStateFromError(thrown: unknown) {
    return { thrown, failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="screen noside">
        <main className="main">
          <div className="centred">
            <ErrorState
              title={frame.screenFailed}
              problem={asProblem(this.state.thrown)}
              onRetry={() => this.setState({ failed: false, thrown: undefined })}
            />
          </div>
        </main>
      </div>
    );
  }
}
