from loader_mix import row
from scene import *
ROWS = (
 row("a#61", "", "", "", all_of(venv("nvidia-cudnn-cu12==9.14.0.64"), gpu("sm_61"), torch("2.9.1", "nvidia-cudnn-cu12==9.14.0.64")), TORCH, "arch-below-cudnn"),
 row("a#70", "", "", "", all_of(venv("nvidia-cudnn-cu12==9.14.0.64"), gpu("sm_70"), torch("2.9.1", "nvidia-cudnn-cu12==9.14.0.64")), TORCH, "arch-below-cudnn"),
 row("a#107", "", "", "", all_of(venv("nvidia-cudnn-cu12==9.18.1.3"), gpu("sm_107"), torch("2.9.1", "nvidia-cudnn-cu12==9.18.1.3")), TORCH, "arch-below-cudnn"),
)
